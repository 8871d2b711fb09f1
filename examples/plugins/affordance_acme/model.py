"""`acme:first` and `acme:last`: models that run in this process, and always choose the first or the last option."""

from affordance import plugins as af


class Stubborn(af.LocalModel):
    """What is given to the base besides the name, tells replies of this model from those of another of that name."""

    def __init__(self, name: str, place: int) -> None:
        super().__init__(name, version=1)
        self._place = place

    async def send(self, ask: af.Ask) -> af.Reply:
        """Never raises: what goes wrong is a reply too. `ask.messages` hold the words and pictures; the grammar says in
        which form an answer is asked for."""
        match ask.answer_format:
            case af.Choice(options):
                return af.Reply(af.write_single_choice(options[self._place], "It always is."))
            case af.Locate(size=(width, height)):
                middle = af.Box(af.Space.PIXEL, width / 2, height / 2, width / 2, height / 2)
                return af.Reply(af.write_place(middle, ask.answer_format))
        return af.Reply(finish=af.Finish.UNSUPPORTED, error=f"{self.name} chooses and points, no more", permanent=True)


def make(name: af.ModelName, surroundings: af.Surroundings) -> af.Model:
    """Pictures come from `await surroundings.gallery.encoded(ask.images)`, as the bytes of files."""
    places = {"first": 0, "last": -1}
    if name.model not in places:
        raise af.UserError(f"acme has the models {' and '.join(places)}, found {name.model!r}")
    return Stubborn(str(name), places[name.model])
