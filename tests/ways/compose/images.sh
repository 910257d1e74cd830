# Makes the images that compose.yaml and the Dockerfile name, where no registry reaches: of this machine's own programs, with the
# variables, folders and commands that the official ones document. Versions are Debian's: Caddy 2.6, nginx 1.22, Postgres 15.
# bash -e images.sh <node> <npm's folder> <proxy>

# begin <name>: a root folder with the shell and the usual programs.
begin() {
  root=$(mktemp --directory)
  mkdir --parents $root/usr/{bin,sbin,lib,lib64,local/bin} $root/{etc,root,run,tmp,proc,sys,dev}
  chmod 1777 $root/tmp
  for each in bin sbin lib lib64; do ln --symbolic usr/$each $root/$each; done
  cp --recursive --dereference --parents /etc/ssl/certs/ca-certificates.crt /etc/nsswitch.conf $root
  printf '%s\n' root:x:0:0::/root:/bin/sh postgres:x:999:999::/var/lib/postgresql:/bin/sh node:x:1000:1000::/home/node:/bin/sh \
    www-data:x:33:33::/var/www:/bin/sh nobody:x:65534:65534::/:/bin/false > $root/etc/passwd
  printf '%s\n' root:x:0: postgres:x:999: node:x:1000: www-data:x:33: nogroup:x:65534: > $root/etc/group
  # All libraries of the C library, as every image of Debian has them.
  dpkg --listfiles libc6 | grep '/lib.*\.so' | xargs cp --dereference --parents --target-directory $root
  programs sh bash env cat chmod chown id install ln ls mkdir printf rm setpriv sleep touch true
}

# programs <name or path>…: with the libraries that they load.
programs() {
  for each in "$@"; do
    path=$(type -P $each)
    cp --dereference --parents $path $root
    { ldd $path 2>/dev/null || true; } | grep --only-matching '/[^ )]*' | xargs --no-run-if-empty cp --dereference --parents --target-directory $root
  done
}

# end <name> <line of a Dockerfile>…: the image of the folder, with what the lines say of it.
end() {
  tar --create --directory $root . | docker import - files-of-$1
  name=$1
  shift
  printf '%s\n' "FROM files-of-$name" "$@" | docker build --tag $name -
  rm --recursive $root
}

begin
install $1 $root/usr/local/bin/node
ldd $1 | grep --only-matching '/[^ )]*' | xargs cp --dereference --parents --target-directory $root
mkdir --parents $root/usr/local/lib/node_modules $root/usr/local/etc
cp --recursive $2 $root/usr/local/lib/node_modules/npm
ln --symbolic ../lib/node_modules/npm/bin/npm-cli.js $root/usr/local/bin/npm
printf '%s\n' https-proxy=$3 cafile=/etc/ssl/certs/ca-certificates.crt > $root/usr/local/etc/npmrc
end node:24-slim 'ENV PATH=/usr/local/bin:/usr/bin:/bin' 'CMD ["node"]'

begin
programs nginx
mkdir --parents $root/var/log/nginx $root/var/lib/nginx
ln --symbolic /dev/stdout $root/var/log/nginx/access.log
ln --symbolic /dev/stderr $root/var/log/nginx/error.log
end nginx:stable 'EXPOSE 80' 'STOPSIGNAL SIGQUIT' 'CMD ["nginx", "-g", "daemon off;"]'

# No authority of the Internet reaches this machine: Caddy signs with its own.
begin
programs caddy
mkdir --parents $root/config $root/data
printf '{\n\tlocal_certs\n\tskip_install_trust\n}\n' > $root/etc/authority
echo 'cat /etc/authority /etc/caddy/Caddyfile > /tmp/Caddyfile; exec caddy run --config /tmp/Caddyfile --adapter caddyfile' > $root/start.sh
end caddy:2 'ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data' 'EXPOSE 80 443' 'CMD ["sh", "/start.sh"]'

begin
postgres=$(ls --directory /usr/lib/postgresql/*/bin)
programs $postgres/{postgres,initdb,pg_ctl,psql,pg_isready,pg_dump,pg_restore}
cp --recursive --parents ${postgres%/bin}/lib /usr/share/postgresql /usr/lib/locale/C.utf8 $root
for each in $postgres/*; do ln --symbolic --force $each $root/usr/local/bin; done
rm --recursive $root${postgres%/bin}/lib/{bitcode,llvmjit*}
mkdir --parents $root/var/lib/postgresql $root/run/postgresql
ln --symbolic ../run $root/var/run
chown 999:999 $root/run/postgresql
cp $(dirname $0)/postgres.sh $root/postgres.sh
end postgres:18 'ENV PGDATA=/var/lib/postgresql/18/docker LANG=C.UTF-8' 'VOLUME /var/lib/postgresql' 'EXPOSE 5432' 'STOPSIGNAL SIGINT' 'ENTRYPOINT ["bash", "-e", "/postgres.sh"]' 'CMD ["postgres"]'
