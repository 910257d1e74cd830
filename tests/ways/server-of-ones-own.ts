/** What a server has before an operator follows docs/install.md: its own site, Postgres, a certificate authority. */
import { findDebianProgram } from "../../scripts/debian-packages.mjs";
import { findPostgresTools } from "../../scripts/find-postgres-tools.mjs";
import { CADDY_AUTHORITY, caddyfileWith, MACHINE_FILES } from "./https-machine.ts";
import { Machine } from "./machine.ts";

/** The source of certbot's certificates on this machine, which no public authority can reach. */
const AUTHORITY = "/root/authority";

/** A machine whose clone has its packages installed and its own packages packed. */
export async function serverOfOnesOwn(): Promise<Machine> {
  await findDebianProgram("caddy", "Caddy, to walk the way of docs/install.md");
  await findDebianProgram("nginx", "nginx, to walk the way of docs/install.md");
  const tools = await findPostgresTools();
  const machine = await Machine.start({
    ...INSTALL_FILES,
    "/etc/hosts": "127.0.0.1 localhost chat.example shop.example\n",
    "/var/www/shop/index.html": "<p>The shop</p>",
    "/etc/caddy/Caddyfile": caddyfileWith(SHOP),
    "/etc/nginx/conf.d/shop.conf": NGINX_SITE,
    "/usr/local/sbin/certbot": CERTBOT,
    "/usr/local/sbin/make-certificate": MAKE_CERTIFICATE,
  });
  const prepared = machine.type(`
rm -f /etc/nginx/sites-enabled/*
mkdir ${AUTHORITY} && cd ${AUTHORITY}
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Authority" -keyout ca.key -out ca.crt 2>&1
make-certificate shop.example
install -d -o postgres /var/run/postgresql /var/lib/pg
cd /var/lib/pg
runuser -u postgres -- ${tools}/initdb --pgdata=data --auth-local=peer --auth-host=scram-sha-256 --locale=C.UTF-8 --encoding=UTF8
runuser -u postgres -- ${tools}/pg_ctl --pgdata=data --log=log --wait start`);
  await prepared.catch(async (error: unknown) => {
    await machine.stop();
    throw error;
  });
  return machine;
}

/** The authority of each proxy, for curl. */
export const authorities = {
  caddy: CADDY_AUTHORITY,
  nginx: `${AUTHORITY}/ca.crt`,
};

const SHOP = `shop.example {
	root * /var/www/shop
	file_server
}
`;

const NGINX_SITE = `server {
  listen 443 ssl http2;
  server_name shop.example;
  ssl_certificate /etc/letsencrypt/live/shop.example/fullchain.pem;
  ssl_certificate_key /etc/letsencrypt/live/shop.example/privkey.pem;
  root /var/www/shop;
}
`;

const MAKE_CERTIFICATE = `#!/bin/sh
set -e
live=/etc/letsencrypt/live/$1
mkdir -p $live
openssl req -newkey rsa:2048 -nodes -subj "/CN=$1" -keyout $live/privkey.pem -out $live/request 2>/dev/null
echo "subjectAltName=DNS:$1" > $live/names
openssl x509 -req -in $live/request -CA ${AUTHORITY}/ca.crt -CAkey ${AUTHORITY}/ca.key -CAcreateserial -days 2 -extfile $live/names -out $live/cert.pem 2>/dev/null
cat $live/cert.pem ${AUTHORITY}/ca.crt > $live/fullchain.pem
`;

const CERTBOT = `#!/bin/sh
set -e
[ "$1 $2 $3" = "certonly --nginx --domain" ] || exit 2
exec make-certificate $4
`;

/** A commit and a package with a higher version. */
const LATER_VERSION = `#!/bin/sh
set -e
/usr/bin/git -c user.name=a -c user.email=a@b.example -c core.hooksPath=/dev/null commit --quiet --allow-empty --message later
mkdir /tmp/later && tar --extract --gzip --file dist/tarballs/nitka-0.*.tgz --directory /tmp/later
rm dist/tarballs/nitka-0.*.tgz
sed --in-place 's/"version": "[^"]*"/"version": "0.999.0"/' /tmp/later/package/package.json
tar --create --gzip --file dist/tarballs/nitka-0.999.0.tgz --directory /tmp/later package
`;

/** Replacements for the programs that would install what is already installed. */
export const INSTALL_FILES = {
  ...MACHINE_FILES,
  // The packages are installed already. Debian starts what it installs.
  "/usr/local/sbin/apt-get": `#!/bin/sh\nfor each in caddy nginx; do\n  case " $* " in *" $each "*) systemctl start $each ;; esac\ndone\n`,
  // A later version of the clone is packed already, too.
  "/usr/local/sbin/npm": `#!/bin/sh\ncase "$1" in ci|run) exit 0 ;; esac\nexec /usr/bin/npm "$@" --no-audit --no-fund\n`,
  "/usr/local/sbin/git": `#!/bin/sh\n[ "$1" = pull ] && exec later-version\nexec /usr/bin/git "$@"\n`,
  "/usr/local/sbin/later-version": LATER_VERSION,
};
