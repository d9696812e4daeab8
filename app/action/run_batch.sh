#!/bin/bash
# The batch of action.yml, whose inputs come as GVBIND_*. gvbind itself writes annotations and the summary of the job.
set -euo pipefail

report=$GVBIND_OUTPUT/report.json
arguments=(batch "${GVBIND_MANIFEST:-$GVBIND_FOLDER}" --output "$GVBIND_OUTPUT" --report "$report" --fail-on "$GVBIND_FAIL_ON")
while IFS= read -r option; do
  [ -z "$option" ] || arguments+=("$option")
done <<<"$GVBIND_OPTIONS"

mkdir -p "$GVBIND_OUTPUT"
echo "report=$report" >>"$GITHUB_OUTPUT"
if [ -n "$GVBIND_COMMAND" ]; then
  exec "$GVBIND_COMMAND" "${arguments[@]}"
fi
# The file of the summary lies in the runner's folder; paths are the same inside and outside.
exec docker run --rm --user "$(id -u):$(id -g)" --env GITHUB_ACTIONS --env GITHUB_WORKSPACE --env GITHUB_STEP_SUMMARY \
  --volume "$GITHUB_WORKSPACE:$GITHUB_WORKSPACE" --volume "$RUNNER_TEMP:$RUNNER_TEMP" --workdir "$PWD" \
  gvbind-action "${arguments[@]}"
