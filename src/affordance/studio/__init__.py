"""The web application for people: correct boxes, validate texts, edit questions; users and sign-in."""
