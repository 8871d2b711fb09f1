"""`python -m affordance`."""

from affordance.cli.main import main

if __name__ == "__main__":
    main()
