# What the official image of Postgres does at its start: it makes the database of POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB in
# an empty PGDATA, with a server that listens to its socket alone, and then serves everybody who has the password.
if [ $(id -u) = 0 ]; then
  install --directory --owner=postgres --mode=700 $PGDATA
  exec setpriv --reuid=postgres --regid=postgres --clear-groups -- bash -e $0 "$@"
fi
if [ ! -s $PGDATA/PG_VERSION ]; then
  initdb --pgdata=$PGDATA --username=$POSTGRES_USER --pwfile=<(echo "$POSTGRES_PASSWORD")
  echo "host all all all scram-sha-256" >> $PGDATA/pg_hba.conf
  pg_ctl --pgdata=$PGDATA --options="-c listen_addresses=" --wait start
  name=${POSTGRES_DB:-$POSTGRES_USER}
  [ $name = postgres ] || psql --username=$POSTGRES_USER --dbname=postgres --command="CREATE DATABASE $name"
  pg_ctl --pgdata=$PGDATA --mode=fast --wait stop
fi
exec "$@" -c listen_addresses='*'
