import type { Role } from '#app/contracts/people.ts';
import { can } from '#app/domain/people/roles.ts';
import type { PanelName } from '#app/features/dashboard/panels.ts';

/** Whether someone with these roles has a use for a panel. */
export const mayShowPanel = (roles: readonly Role[]) => (name: PanelName) => name !== 'drafts' || can(roles, 'authorWorkflow');
