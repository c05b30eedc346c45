// How numbers are written: with no more digits than their error allows.

const OrreryFigures = (function () {
  "use strict";

  // A larger standard error leaves one digit of a probability.
  const { fine_error: TWO_DIGITS, sure_errors: SURE_ERRORS, unsure: UNSURE, on: ON } = OrreryModel.thresholds;
  const NOTHING = "–";

  // A probability with its standard error. One that is not 0 or 1 never reads as if it were, and is
  // said to lie beyond the last figures only where that is sure.
  function figures({ probability, error = 0 }) {
    if ((probability === 0 || probability === 1) && error === 0) return probability.toFixed(2);
    const digits = error > TWO_DIGITS ? 1 : 2, unit = 10 ** -digits, room = SURE_ERRORS * error;
    const least = unit.toFixed(digits), most = (1 - unit).toFixed(digits);
    if (probability < unit / 2) return (probability + room < unit ? "<" : "") + least;
    if (probability >= 1 - unit / 2) return (probability - room > 1 - unit ? ">" : "") + most;
    return probability.toFixed(digits);
  }

  // Neither clearly on nor clearly off.
  const isUnsure = (probability) => probability > UNSURE[0] && probability < UNSURE[1];

  // Group of a topic in an answer; each topic is in one.
  const groupOf = ({ probability }) => isUnsure(probability) ? "unsure" : probability > ON ? "on" : "off";

  function percent(probability) {
    const value = 100 * probability;
    if (value > 0 && value < 0.1) return "<0.1\u00a0%";
    return (value > 0 && value < 0.95 ? value.toFixed(1) : value.toFixed(0)) + "\u00a0%";
  }

  // Log-odds with their sign.
  function signed(logOdds) {
    const size = Math.abs(logOdds);
    if (size < 0.005) return "0";
    return (logOdds < 0 ? "−" : "+") + size.toFixed(size >= 0.95 ? 1 : 2);
  }

  const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;

  // “one”, “two” and “three”; of many the first few.
  function listed(names, most = Infinity) {
    const named = names.slice(0, most).map((name) => `“${name}”`), more = names.length - named.length;
    if (more > 0) return `${named.join(", ")} and ${more} more`;
    return named.length < 2 ? named.join("") : named.slice(0, -1).join(", ") + " and " + named[named.length - 1];
  }

  return { figures, isUnsure, groupOf, percent, signed, plural, listed, NOTHING };
})();
