// Offers known words in the query boxes while a person types, by the list that browsers draw below a
// box. The boxes are Streamlit's, so the list stands beside them in the page.
const BOXES = ".st-key-q input, .st-key-q2 input";
const LIST = "orrery-completions";

export default function (component) {
  const { data } = component;
  if (!data) return;
  const list = document.getElementById(LIST) ?? document.createElement("datalist");
  list.id = LIST;
  document.body.append(list);
  const onInput = ({ target }) => {
    if (!target.matches?.(BOXES)) return;
    target.setAttribute("list", LIST);
    OrrerySuggest.offer(list, data.words, target.value);
  };
  document.addEventListener("input", onInput, true);
  return () => {
    document.removeEventListener("input", onInput, true);
    list.remove();
  };
}
