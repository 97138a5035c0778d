// The language and the direction of what annotators read; their stories have a direction of their own.

export default function ({ data, parentElement }) {
  const { language, direction } = data;
  const root = document.documentElement;
  root.lang = language;
  root.dataset.fabulaDirection = direction; // for what Streamlit draws outside of the screen: popovers and dialogs
  const screen = parentElement.closest(".st-key-annotators-screen");
  screen?.setAttribute("lang", language);
  screen?.setAttribute("dir", direction);
  return () => {
    root.lang = "en";
    delete root.dataset.fabulaDirection;
  };
}
