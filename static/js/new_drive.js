/* A new drive: the empty box for rounds shows the usual number of the chosen type. */

const form = document.getElementById("start-drive");
const rounds = document.getElementById("rounds");

function showUsualRounds() {
  const chosen = form.querySelector("input[name=form]:checked");
  if (chosen) {
    rounds.placeholder = chosen.dataset.usual;
  }
}

form.addEventListener("change", showUsualRounds);
document.addEventListener("htmx:afterSettle", showUsualRounds);
