/** How long an invitation can be answered. */
export const INVITATION_DAYS = 7;
