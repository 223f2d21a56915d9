import { z } from 'zod';
import { accountEmail, type GroupState, type PersonState } from '#app/engine/directory/directory-state.ts';

/** States that `readPerson`, `patchPerson` and their like have checked already. */
export const personStateSchema = z.custom<PersonState>((value) => typeof value === 'object' && value !== null);
export const groupStateSchema = z.custom<GroupState>((value) => typeof value === 'object' && value !== null);

/** A person as the columns have them. */
export const personValues = (state: PersonState) => ({
  user_name: state.userName,
  external_id: state.externalId,
  display_name: state.displayName,
  given_name: state.givenName,
  family_name: state.familyName,
  formatted_name: state.formattedName,
  emails: JSON.stringify(state.emails),
  email: accountEmail(state),
  active: state.active,
});

/** Names of what differs, for the log, which holds no values of a person. */
export function changedNames<State extends PersonState | GroupState>(before: State, after: State): string[] {
  const names = Object.keys(after) as (keyof State & string)[];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).sort();
}
