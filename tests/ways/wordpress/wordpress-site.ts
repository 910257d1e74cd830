/** A real WordPress site on a machine, from Debian's packages: MariaDB, PHP, and Caddy in front of it. */
import type { Page } from "@playwright/test";
import { installDebianPackages, onPath } from "../../../scripts/debian-packages.mjs";
import { runCommand } from "../../../scripts/run-command.mjs";
import { root as clone } from "../../../scripts/workspace.mjs";
import type { Machine } from "../machine.ts";

/** The folder that has `wp-content` and `wp-config.php`. */
export const WORDPRESS = "/var/www/wordpress";

/** The site in Caddy's configuration, without the chat. */
export const WORDPRESS_SITE = `shop.example {
	root * ${WORDPRESS}
	php_fastcgi 127.0.0.1:9000
	file_server
}
`;

/** Finds or installs the programs that WordPress needs. None of these packages starts a server. */
export async function findWordPressPrograms(): Promise<void> {
  const packages = ["php-cli", "php-cgi", "php-mysql", "php-xml", "mariadb-server-core"];
  const isThere = async () =>
    onPath("php-cgi") !== undefined &&
    onPath("mariadbd") !== undefined &&
    (await runCommand("php", ["--ri", "mysqli", "--ri", "SimpleXML"])).ok;
  if (await isThere()) return;
  await installDebianPackages(packages, "what WordPress runs on");
  if (!(await isThere()))
    throw new Error(`What WordPress runs on was neither found nor could be installed. Install ${packages.join(" ")}.`);
}

/** Installs WordPress in Russian and serves it behind {@link WORDPRESS_SITE}. */
export async function startWordPress(machine: Machine): Promise<void> {
  await machine.type(UNPACK, { online: true });
  machine.startCommand(
    "exec mariadbd --no-defaults --user=root --datadir=/var/lib/wordpress-data --socket=/run/mysqld/mysqld.sock --skip-networking --skip-grant-tables --innodb-log-file-size=8M",
  );
  await machine.type(`
for try in $(seq 300); do [ -S /run/mysqld/mysqld.sock ] && break; sleep 0.1; done
php ${clone}/tests/ways/wordpress/install-site.php ${WORDPRESS}`);
  // A replaced file is read at once.
  machine.startCommand("PHP_FCGI_CHILDREN=4 exec php-cgi -d opcache.revalidate_freq=0 -b 127.0.0.1:9000");
}

/** Logs a customer in through WordPress's own page. */
export async function logIn(page: Page, login: string): Promise<void> {
  await page.goto("https://shop.example/wp-login.php?redirect_to=https%3A%2F%2Fshop.example%2F");
  await page.locator("#user_login").fill(login);
  await page.locator("#user_pass").fill(`password of ${login}`);
  await page.locator("#wp-submit").click();
  await page.waitForURL("https://shop.example/");
}

/** Logs out through the bar of WordPress, on a page of its administration. */
export async function logOut(page: Page, before?: () => Promise<void>): Promise<void> {
  await page.goto("https://shop.example/wp-admin/profile.php");
  await before?.();
  await page.locator("#wp-admin-bar-my-account").hover();
  await page.locator("#wp-admin-bar-logout a").click();
  await page.waitForURL("**/wp-login.php?loggedout=true**");
}

/** Unpacks WordPress from its own archive, with its configuration from the sample beside it. */
const UNPACK = `
mkdir -p ${WORDPRESS} /var/lib/wordpress-data /var/lib/wordpress-packages /run/mysqld
cd /var/lib/wordpress-packages
download="/usr/bin/apt-get download --quiet wordpress wordpress-l10n wordpress-theme-twentytwentythree libjs-underscore"
$download || { /usr/bin/apt-get update --quiet && $download; }
for package in wordpress*.deb; do
  dpkg-deb --fsys-tarfile $package | tar --extract --directory ${WORDPRESS} --strip-components=4 ./usr/share/wordpress
done
dpkg-deb --extract libjs-underscore*.deb /
cd ${WORDPRESS}
ln -sf /usr/share/javascript/underscore/underscore.min.js wp-includes/js/
sed 's/database_name_here/wordpress/; s/username_here/root/; s/password_here//' wp-config-sample.php > wp-config.php
`;
