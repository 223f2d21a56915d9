/** Where the picture of a person is served; null without one. A new picture has a new address. */
export function avatarPath(userId: string, digest: string | null | undefined): string | null {
  return digest ? `/dashboard/avatars/${userId}?v=${digest.slice(0, 16)}` : null;
}
