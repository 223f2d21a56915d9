/** The attributes of a resource that are kept here (RFC 7643, section 4). Every other attribute is taken and forgotten. */
export type DirectoryEmail = { value: string; type: string | null; primary: boolean };
export type PersonState = {
  userName: string;
  externalId: string | null;
  displayName: string | null;
  givenName: string | null;
  familyName: string | null;
  formattedName: string | null;
  emails: DirectoryEmail[];
  active: boolean;
};
/** `members`: ids of people, without repetition. */
export type GroupState = { displayName: string; externalId: string | null; members: string[] };

/** The address that an account is known by: the primary one, that of work, the first, or a user name that is one; null: none is known. */
export function accountEmail({ emails, userName }: Pick<PersonState, 'emails' | 'userName'>): string | null {
  const chosen = emails.find(({ primary }) => primary) ?? emails.find(({ type }) => type?.toLowerCase() === 'work') ?? emails[0];
  if (chosen !== undefined) return chosen.value;
  return isAddress(userName) ? userName : null;
}

/** Enough to tell a user name that is an address; whether somebody has the mailbox is found out when they confirm it. */
export const isAddress = (text: string): boolean => /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(text);

/** Whether a change would leave a resource as it is. */
export function isSameState(one: PersonState | GroupState, other: PersonState | GroupState): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
