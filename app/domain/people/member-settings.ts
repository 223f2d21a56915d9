import { z } from 'zod';

/** A member's arrangement of the dashboard: panels in their order, and those that are put away. Names that no panel has are ignored. */
const dashboardSchema = z.object({ order: z.array(z.string().max(40)).max(50), hidden: z.array(z.string().max(40)).max(50) });
export type DashboardSettings = z.infer<typeof dashboardSchema>;

const memberSettingsSchema = z.object({ dashboard: dashboardSchema.optional().catch(undefined) });
/** What one member has set for themselves in one workspace. */
export type MemberSettings = z.infer<typeof memberSettingsSchema>;

/** Settings as stored. What cannot be read counts as not set. */
export function readMemberSettings(stored: unknown): MemberSettings {
  return memberSettingsSchema.safeParse(stored).data ?? {};
}
