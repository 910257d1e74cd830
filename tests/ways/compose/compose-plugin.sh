#!/bin/bash -e
# `docker compose` of Debian's docker-compose 1.29, which knows other options: a plugin of Docker's command.
if [ "$1" = docker-cli-plugin-metadata ]; then
  echo '{"SchemaVersion":"0.1.0","Vendor":"Debian","Version":"1.29","ShortDescription":"Compose"}'
  exit
fi
shift
command=$1
shift
wait=
words=()
for each in "$@"; do
  case $each in
    --wait) wait=yes ;;
    --signal=*) words+=(-s "${each#*=}") ;;
    *) words+=("$each") ;;
  esac
done
# A terminal is asked for where there is one.
[ $command != exec ] || [ -t 0 ] || [ ${words[0]} = -T ] || words=(-T "${words[@]}")
docker-compose $command "${words[@]}"
[ -n "$wait" ] || exit 0
services=()
for each in "${words[@]}"; do case $each in -*) ;; *) services+=("$each") ;; esac; done
for try in $(seq 600); do
  states=$(docker-compose ps --quiet "${services[@]}" | xargs docker inspect --format '{{.Name}} {{if .State.Health}}{{.State.Health.Status}}{{else}}{{.State.Status}}{{end}}')
  grep --quiet --invert-match --extended-regexp ' (healthy|running)$' <<< "$states" || exit 0
  ! grep --extended-regexp ' (unhealthy|exited|dead)$' <<< "$states" || exit 1
  sleep 0.2
done
echo "$states"
exit 1
