<?php
/**
 * A site that stands in for WordPress, for `php -S`: the functions that docs/embedding.md calls, as developer.wordpress.org documents
 * them, a theme of one page, and users who log in by an address. It shows how the document's files work with these functions, not
 * that they work in a WordPress of some version.
 */

// https://developer.wordpress.org/reference/functions/add_action/ and …/do_action/: by priority, then in the order of adding.
$actions = [];
function add_action(string $hook, callable $callback, int $priority = 10): bool {
    $GLOBALS['actions'][$hook][$priority][] = $callback;
    return true;
}
function do_action(string $hook): void {
    $all = $GLOBALS['actions'][$hook] ?? [];
    ksort($all);
    foreach (array_merge(...$all) as $callback) $callback();
}

// https://developer.wordpress.org/reference/functions/wp_get_current_user/: who is not logged in has the ID 0.
const USERS = ['42' => 'Анна', '43' => 'Борис'];
$current = isset(USERS[$_COOKIE['wordpress_logged_in'] ?? '']) ? (int) $_COOKIE['wordpress_logged_in'] : 0;
function wp_get_current_user(): object {
    $id = $GLOBALS['current'];
    return (object) ['ID' => $id, 'display_name' => USERS[$id] ?? ''];
}
function get_current_user_id(): int {
    return $GLOBALS['current'];
}
function is_user_logged_in(): bool {
    return $GLOBALS['current'] !== 0;
}

// https://developer.wordpress.org/reference/functions/wp_create_nonce/: of an action, a user and a session.
function wp_create_nonce(string $action): string {
    return substr(hash_hmac('sha256', "$action|{$GLOBALS['current']}", 'the salt of wp-config.php'), -10);
}
// https://developer.wordpress.org/reference/functions/wp_json_encode/
function wp_json_encode(mixed $value, int $flags = 0): string {
    return json_encode($value, $flags);
}
// https://developer.wordpress.org/reference/functions/rest_url/: with pretty permalinks.
function rest_url(string $path = ''): string {
    return "https://{$_SERVER['HTTP_HOST']}/wp-json/$path";
}
// https://developer.wordpress.org/reference/functions/register_rest_route/: in the action rest_api_init alone.
$routes = [];
function register_rest_route(string $namespace, string $route, array $args): bool {
    if (!isset($args['permission_callback'])) throw new Error("The route $route has no permission_callback.");
    $GLOBALS['routes']["/wp-json/$namespace$route"] = $args;
    return true;
}

function send_json(int $status, mixed $value): void {
    http_response_code($status);
    header('Content-Type: application/json; charset=UTF-8');
    echo json_encode($value);
}

function serve_rest(string $path): void {
    // https://developer.wordpress.org/rest-api/using-the-rest-api/authentication/: without a nonce nobody is logged in.
    $nonce = $_SERVER['HTTP_X_WP_NONCE'] ?? null;
    if ($nonce !== null && $nonce !== wp_create_nonce('wp_rest')) {
        send_json(403, ['code' => 'rest_cookie_invalid_nonce']);
        return;
    }
    if ($nonce === null) $GLOBALS['current'] = 0;
    do_action('rest_api_init');
    $route = $GLOBALS['routes'][$path] ?? null;
    if ($route === null || $route['methods'] !== $_SERVER['REQUEST_METHOD']) send_json(404, ['code' => 'rest_no_route']);
    elseif (!$route['permission_callback']()) send_json(is_user_logged_in() ? 403 : 401, ['code' => 'rest_forbidden']);
    else send_json(200, $route['callback']());
}

// https://developer.wordpress.org/advanced-administration/plugins/mu-plugins/: each file of the folder, by name, without folders below.
require __DIR__ . '/wp-config.php';
foreach (glob(__DIR__ . '/wp-content/mu-plugins/*.php') as $plugin) require $plugin;

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/wp-login.php') {
    $user = $_GET['user'] ?? '';
    setcookie('wordpress_logged_in', $user, ['path' => '/', 'secure' => true, 'httponly' => true, 'expires' => $user === '' ? 1 : 0]);
    header('Location: /');
} elseif (str_starts_with($path, '/wp-json/')) serve_rest($path);
else { ?>
<!doctype html>
<html lang="ru">
<head><meta charset="utf-8"><title>Лавка</title><link rel="icon" href="data:,"></head>
<body><h1>Лавка</h1>
<?php do_action('wp_footer'); ?>
</body>
</html>
<?php }
