/* A new drive: the empty box for rounds shows the usual number of the chosen type, and options about partners
 * and winners are hidden in games with contracts.
 */

const form = document.getElementById("start-drive");
const rounds = document.getElementById("rounds");
const contractPresets = JSON.parse(document.getElementById("contract-presets").textContent);

function showUsualRounds() {
  const chosen = form.querySelector("input[name=form]:checked");
  if (chosen) {
    rounds.placeholder = chosen.dataset.usual;
  }
}

function hidePartnerOptions() {
  const hasContracts = contractPresets.includes(document.getElementById("preset").value);
  for (const each of form.querySelectorAll("[data-for-partners]")) each.hidden = hasContracts;
}

form.addEventListener("change", showUsualRounds);
form.addEventListener("change", hidePartnerOptions);
document.addEventListener("htmx:afterSettle", showUsualRounds);
