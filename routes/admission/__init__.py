"""Who is let in, and how much of the server they may take: decided before Streamlit hears of a request."""

from routes.admission.layer import Admission

__all__ = ["Admission"]
