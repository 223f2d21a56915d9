const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The workspace that a person works in now; the membership is checked on every request, the cookie only chooses. */
export function workspaceCookie(workspaceId: string, secure: boolean): string {
  return `workspace=${workspaceId}; Path=/; Max-Age=${ONE_YEAR_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

export function chosenWorkspace(cookieHeader: string | null): string | null {
  return /(?:^|;\s*)workspace=([0-9a-f-]{36})(?:;|$)/i.exec(cookieHeader ?? '')?.[1]?.toLowerCase() ?? null;
}
