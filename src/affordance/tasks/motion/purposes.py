"""What an animation is for: the seven purposes of AniMINT, in its order, in our words."""

PURPOSE_DEFINITIONS = {
    "Transition": "it accompanies a change of the layout.",
    "Demonstration": "it shows or explains how the interface or a part of it behaves, works or is built.",
    "Guidance": "it leads the person to an interaction that is wanted.",
    "Feedback": "it answers visibly to what the person does.",
    "Visualization": "it stands for the state of the system, for data or for other information.",
    "Highlight": "it stresses certain content or draws attention to something that matters.",
    "Aesthetic": "it makes the interface more appealing, moves people or makes using it more pleasant.",
}
