import { localPath } from '#app/domain/web/local-path.ts';

export const HOME_PATH = '/dashboard';

/** Where to go after signing in: the wish when it is a path of ours, otherwise the dashboard. Never back to the screens of signing in. */
export function returnPath(wish: unknown): string {
  const path = localPath(wish, HOME_PATH);
  return /^\/(auth|reset-password)([/?#]|$)/.test(path) ? HOME_PATH : path;
}

/** The sign-in screen that comes back to `wish` afterwards. */
export function signInPath(wish: string): string {
  return wish === HOME_PATH ? '/auth' : `/auth?next=${encodeURIComponent(wish)}`;
}

/** The screen that asks for the second factor and goes on to `wish`. */
export function factorPath(wish: string): string {
  return wish === HOME_PATH ? '/auth/factor' : `/auth/factor?next=${encodeURIComponent(wish)}`;
}
