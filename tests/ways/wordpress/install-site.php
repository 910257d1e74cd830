<?php
/**
 * Installs the WordPress of the folder that is named, as the page of its installation does: a shop in Russian with two pages, and
 * customers with the ids 42 and 43.
 */
// What a request to that page tells WordPress.
$_SERVER += ['HTTP_HOST' => 'shop.example', 'HTTPS' => 'on', 'SERVER_PROTOCOL' => 'HTTP/1.1', 'REQUEST_METHOD' => 'POST'];
$_SERVER['REQUEST_URI'] = $_SERVER['PHP_SELF'] = $_SERVER['SCRIPT_NAME'] = '/wp-admin/install.php';
(new mysqli('localhost'))->query('CREATE DATABASE wordpress CHARACTER SET utf8mb4');
define('WP_INSTALLING', true);
require $argv[1] . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
// There is no mail and no network here.
add_filter('pre_wp_mail', '__return_true');
add_filter('pre_http_request', fn () => new WP_Error('offline', 'There is no network.'));

load_default_textdomain('ru_RU');
wp_install('Лавка', 'owner', 'owner@shop.example', true, '', 'password of the owner', 'ru_RU');
$wp_rewrite->set_permalink_structure('/%postname%/');
flush_rewrite_rules();
// Their pictures come from another site, which is not there.
update_option('show_avatars', 0);

$pages = [
    'Доставка' => ['По Москве курьер привозит заказ за два дня и берёт 300 рублей.', 'В другие города посылка идёт неделю и стоит 450 рублей.'],
    'Возврат' => ['Товар без следов носки можно вернуть за 14 дней.', 'Деньги приходят на карту через три дня после возврата.'],
];
foreach ($pages as $title => $paragraphs) {
    $blocks = array_map(fn ($text) => "<!-- wp:paragraph -->\n<p>$text</p>\n<!-- /wp:paragraph -->", $paragraphs);
    $page = ['post_type' => 'page', 'post_status' => 'publish', 'post_title' => $title, 'post_content' => implode("\n\n", $blocks)];
    wp_insert_post($page + ['post_author' => 1, 'post_name' => $title === 'Доставка' ? 'dostavka' : 'vozvrat'], true);
}

$wpdb->query("ALTER TABLE $wpdb->users AUTO_INCREMENT = 42");
foreach (['anna' => 'Анна', 'boris' => 'Борис'] as $login => $name) {
    wp_insert_user(['user_login' => $login, 'user_pass' => "password of $login", 'display_name' => $name, 'role' => 'subscriber']);
}
