/** How long an invitation can be answered. */
export const INVITATION_DAYS = 7;

export type InvitationState = 'open' | 'accepted' | 'declined' | 'withdrawn' | 'expired';
