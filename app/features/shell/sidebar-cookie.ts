/** Whether the sidebar is a rail: `collapsed` or `expanded`, for the time that the specification gives (section 9). */
export const SIDEBAR_COOKIE = 'sidebar_state';
export const SIDEBAR_COOKIE_SECONDS = 7 * 24 * 60 * 60;
