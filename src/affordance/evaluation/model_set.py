"""The models of a run: built, priced and checked before the first request."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from affordance.core.attempts import Attempt
from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.core.model_name import BUILTIN_PROVIDERS, ModelName
from affordance.core.requests import CallSettings
from affordance.evaluation.budget import require_price
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.plan import Plan, PlannedAttempt
from affordance.grounding.dialects import Dialect, dialect_prompt_digest, get_dialect, in_dialect
from affordance.ledger import RunRecord
from affordance.media.loader import ThreadedMediaLoader
from affordance.models.family import FREE, Price
from affordance.models.model import Model, ModelContext
from affordance.models.parameters import without_null
from affordance.models.profile import find_family, find_price, without_limits
from affordance.models.registry import build_model
from affordance.models.replay import ReplayModel
from affordance.models.study_answers import VersionedAnswers
from affordance.models.token_cost import max_output_tokens
from affordance.tasks.task import Task

NO_CLIENTS: Mapping[str, Model] = {}


class ModelSet:
    """The models of a run, with their prices and what their requests are sent with.

    Args:
        calibrated: the calibrated dialect by a model's name, for `--dialect calibrated`.
        study_answers: the answers of a study by its name.
        clients: models that are built already, by name.
        offline: whether no request is sent, so that no key is needed.

    Raises:
        UserError: whatever the user must correct before the first request.
    """

    def __init__(
        self,
        plan: Plan,
        names: Sequence[ModelName],
        media_loader: ThreadedMediaLoader,
        execution: ExecutionConfig,
        *,
        calibrated: Callable[[str], str] = str,
        study_answers: Callable[[str], VersionedAnswers] | None = None,
        clients: Mapping[str, Model] = NO_CLIENTS,
        offline: bool = False,
    ) -> None:
        judge = ModelName.parse(plan.config.judge) if plan.config.judge is not None else None
        questions = plan.questions()
        context = ModelContext(
            media_loader,
            questions.__getitem__,
            plan.config.seed,
            execution.timeout,
            execution.model_options,
            study_answers,
            not offline,
            execution.key_env,
        )
        self.plan = plan
        self.execution = execution
        self.media_size = media_loader.size
        self._calibrated = calibrated

        def build(name: ModelName) -> Model:
            return clients.get(str(name)) or build_model(name, context, execution.providers)

        self.models = [build(name) for name in names]
        by_name = dict(zip(names, self.models, strict=True))
        self.judge = None if judge is None else by_name.get(judge) or build(judge)
        self._names = {model.name: name for model, name in zip(self.models, names, strict=True)}
        if judge is not None and self.judge is not None:
            self._names[self.judge.name] = judge
        self.warnings = {
            model.name: warning
            for model in self.models
            if isinstance(model, ReplayModel) and (warning := model.unmatched_warning(questions.values()))
        }
        if len({model.name for model in self.models}) < len(self.models):
            raise UserError("a model was named twice; name each --model once")
        is_judged = any(task.judge is not None for task in plan.config.tasks)
        if judge is not None and (not is_judged or judge.looks_up_answers):
            raise UserError(f"{judge} cannot be the judge of {', '.join(task.name for task in plan.config.tasks)}")
        self.prices = {model.name: self._price(model) for model in self.all_models()}
        plan.config.check_judge()

    def call_settings(self, model: Model, task: Task) -> CallSettings:
        parameters = model.request_parameters(self.plan.config.model_parameters(task, self._own_parameters(model)))
        dialect = self.dialect(model, task)
        prompts_digest = self.plan.prompts[task.name].digest
        if dialect is None:
            return CallSettings(model.name, model.base_url, "", prompts_digest, parameters)
        return CallSettings(
            model.name, model.base_url, dialect.name, dialect_prompt_digest(dialect, prompts_digest), parameters
        )

    def judge_call_settings(self) -> dict[str, CallSettings]:
        """By judged task."""
        judge, settings = self.judge, self.plan.config
        if judge is None:
            return {}
        sent = {
            task.name: judge.request_parameters(settings.judge_parameters(task, self._own_parameters(judge)))
            for task in settings.tasks
            if task.judge is not None
        }
        return {
            name: CallSettings(judge.name, judge.base_url, "", self.plan.prompts[name].digest, parameters)
            for name, parameters in sent.items()
        }

    def all_call_settings(self, name: str) -> list[CallSettings]:
        """All settings with which requests are sent to a model, be it as a model of the run or as the judge."""
        tasks = self.plan.config.tasks
        answering = [self.call_settings(model, task) for model in self.models if model.name == name for task in tasks]
        judging = self.judge_call_settings().values() if self.judge is not None and self.judge.name == name else ()
        return [*answering, *judging]

    def _own_parameters(self, model: Model) -> Mapping[str, Json]:
        return without_limits(self.execution.model_options.get(str(self._names[model.name]), {}))

    def dialect(self, model: Model, task: Task) -> Dialect | None:
        """The dialect of a model: that of the user, the calibrated one, or that of its family. None for a task without
        coordinates."""
        if not task.scorer.locations:
            return None
        match self.plan.config.dialect:
            case None:
                return get_dialect(model.dialect or find_family(self._names[model.name].model)[0].dialect)
            case "calibrated":
                return get_dialect(self._calibrated(model.name))
            case name:
                return get_dialect(name)

    def all_models(self) -> list[Model]:
        return [*self.models, *([self.judge] if self.judge is not None and self.judge not in self.models else [])]

    def paid_models(self) -> list[str]:
        """Models whose attempts send requests: their own, or those of the judge."""
        judged = self.judge is not None and self._names[self.judge.name].provider not in BUILTIN_PROVIDERS
        return [
            model.name for model in self.models if judged or self._names[model.name].provider not in BUILTIN_PROVIDERS
        ]

    def _price(self, model: Model) -> Price:
        """The price of a model. With a budget it must be known before the first request."""
        price = find_price(self._names[model.name], self.execution.prices)
        limited = all(
            max_output_tokens(address.parameters) is not None for address in self.all_call_settings(model.name)
        )
        how = "give --set max_tokens=N" if model in self.models else f"give it under {self._config_table(model)}"
        return require_price(model.name, price, limited, self.execution.budget, how)

    def _config_table(self, model: Model) -> str:
        return f'[models."{self._names[model.name]}"] in affordance.toml'

    def models_without_price(self) -> list[str]:
        return [
            model.name
            for model in self.all_models()
            if find_price(self._names[model.name], self.execution.prices) is None
        ]

    def cost(self, model: Model, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """In US dollars; None where there is no price, or no limit to what goes in or comes out."""
        price = find_price(self._names[model.name], self.execution.prices)
        if price == FREE:
            return 0.0
        if price is None or input_tokens is None or output_tokens is None:
            return None
        return price.cost(input_tokens, output_tokens)

    def plan_attempts(self, run: RunRecord, model: Model) -> list[PlannedAttempt]:
        """Every attempt of one model, in the order of the questions."""
        addresses = {task.name: self.call_settings(model, task) for task in self.plan.config.tasks}
        dialects = {task.name: self.dialect(model, task) for task in self.plan.config.tasks}
        found = []
        for task, trial in self.plan.task_trials():
            dialect = dialects[task.name]
            question = trial.question if dialect is None else in_dialect(trial.question, dialect)
            for strategy in self.plan.config.strategy:
                if strategy not in task.strategies:
                    continue
                found.append(
                    PlannedAttempt(
                        Attempt(run.id, question.id, model.name, strategy, trial.trial),
                        question,
                        task.strategies[strategy],
                        self.plan.prompts[task.name].texts,
                        task.score,
                        addresses[task.name],
                        self.plan.config.max_parse_retries(task),
                        task.judge,
                    )
                )
        return found

    def check_resumable(self, run: RunRecord, stored: Mapping[str, Sequence[CallSettings]]) -> None:
        """A run that is resumed sends requests to its models in the same way as before.

        Args:
            stored: what the run's requests were sent with, by model.

        Raises:
            UserError: a model has another URL, other parameters, or another dialect.
        """
        for name in {model.name: model for model in self.all_models()}:
            now = self.all_call_settings(name)
            # Another command of the same run may have the judge as one of its models.
            possible = [*now, *(self.call_settings(self._model(name), task) for task in self.plan.config.tasks)]
            valid = {(one.settings_digest, one.dialect) for one in possible}  # prompts are in the run's record
            for one in stored.get(name, []):
                before = replace(one, parameters=without_null(one.parameters))  # version 1 sent null
                if (before.settings_digest, before.dialect) not in valid:
                    used, uses = _describe_call_settings(before), _describe_call_settings(now[0])
                    raise UserError(
                        f"run {run.name!r} used {name} {used}; this command uses it {uses}. Choose another --name."
                    )

    def _model(self, name: str) -> Model:
        return next(model for model in self.all_models() if model.name == name)

    async def close(self) -> None:
        for model in self.all_models():
            await model.close()


def _describe_call_settings(settings: CallSettings) -> str:
    dialect = f" in the dialect {settings.dialect}" if settings.dialect else ""
    return f"at {settings.base_url or 'this computer'} with parameters {settings.parameters_text}{dialect}"
