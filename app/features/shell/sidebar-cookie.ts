/** The state of the sidebar, `collapsed` or `expanded`, kept for seven days. */
export const SIDEBAR_COOKIE = 'sidebar_state';
export const SIDEBAR_COOKIE_SECONDS = 7 * 24 * 60 * 60;
