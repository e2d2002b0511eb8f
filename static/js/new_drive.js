/* A new drive: the empty box for rounds shows the usual number of the chosen type, options about partners
 * and winners are hidden in games with contracts, and the name follows the game until you change it.
 */

const form = document.getElementById("start-drive");
const rounds = document.getElementById("rounds");
const contractPresets = JSON.parse(document.getElementById("contract-presets").textContent);

const driveNames = JSON.parse(document.getElementById("drive-names").textContent);
const name = document.getElementById("name");
const preset = document.getElementById("preset");

function nameAfterGame() {
  if (Object.values(driveNames).includes(name.value.trim())) name.value = driveNames[preset.value];
}

function findChosenType() {
  return form.querySelector("input[name=form]:checked");
}

function showUsualRounds() {
  const chosen = findChosenType();
  if (chosen) {
    rounds.placeholder = chosen.dataset.usual;
  }
}

function hidePartnerOptions() {
  const hasContracts = contractPresets.includes(preset.value);
  for (const each of form.querySelectorAll("[data-for-partners]")) each.hidden = hasContracts;
}

// A type that is chosen while the list of types is loaded again stays chosen.
let lateType = "";

function noteLateType(event) {
  const chosen = findChosenType();
  const sentType = event.detail.requestConfig.parameters.form;
  lateType = chosen && chosen.value !== sentType ? chosen.value : "";
}

function restoreLateType() {
  const chosen = lateType && form.querySelector(`input[name=form][value="${lateType}"]`);
  if (chosen) chosen.checked = true;
}

form.addEventListener("change", showUsualRounds);
form.addEventListener("change", hidePartnerOptions);
preset.addEventListener("change", nameAfterGame);
document.addEventListener("htmx:beforeSwap", noteLateType);
document.addEventListener("htmx:afterSwap", restoreLateType);
document.addEventListener("htmx:afterSettle", showUsualRounds);
