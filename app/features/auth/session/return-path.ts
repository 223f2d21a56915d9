import { href } from 'react-router';
import { localPath } from '#app/domain/web/local-path.ts';

/** In the address of the page that signs out: the person is in no workspace and may found none. */
export const NO_WORKSPACE = 'no-workspace';

export const HOME_PATH = href('/dashboard');

/** The destination after signing in: the requested path if it is ours, otherwise the dashboard. Never a sign-in screen. */
export function returnPath(wish: unknown): string {
  const path = localPath(wish, HOME_PATH);
  return /^\/(auth|reset-password)([/?#]|$)/.test(path) ? HOME_PATH : path;
}

/** The sign-in screen that comes back to `wish` afterwards. */
export function signInPath(wish: string): string {
  return wish === HOME_PATH ? href('/auth') : `${href('/auth')}?next=${encodeURIComponent(wish)}`;
}

/** The same for who is signed in, in a session that a workspace does not take any more. */
export function signInAgainPath(wish: string): string {
  return `${href('/auth')}?${new URLSearchParams({ again: '1', next: wish })}`;
}

/** The screen that asks for the second factor and goes on to `wish`. */
export function factorPath(wish: string): string {
  return wish === HOME_PATH ? href('/auth/factor') : `${href('/auth/factor')}?next=${encodeURIComponent(wish)}`;
}
