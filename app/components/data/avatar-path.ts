import { href } from 'react-router';

/** The address of a person's picture; null without one. A new picture has a new address. */
export function avatarPath(userId: string, digest: string | null | undefined): string | null {
  return digest ? `${href('/dashboard/avatars/:user', { user: userId })}?v=${digest.slice(0, 16)}` : null;
}
