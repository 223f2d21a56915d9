import { z } from 'zod';

/** A member's arrangement of the dashboard: panels in their order, and those that are put away. Names that no panel has are ignored. */
const dashboardSchema = z.object({ order: z.array(z.string().max(40)).max(50), hidden: z.array(z.string().max(40)).max(50) });
export type DashboardSettings = z.infer<typeof dashboardSchema>;

const memberSettingsSchema = z.object({ dashboard: dashboardSchema.optional().catch(undefined) });
/** Columns are kept by list, each under a name of its own, so that what is kept of one leaves the others as they are. */
type ColumnSettings = Partial<Record<`columns.${string}`, string[]>>;
/** The settings of one member in one workspace. */
export type MemberSettings = z.infer<typeof memberSettingsSchema> & ColumnSettings;

/** The arrangement of the dashboard as stored. What cannot be read counts as not set. */
export function readDashboardSettings(stored: unknown): DashboardSettings | undefined {
  return memberSettingsSchema.safeParse(stored).data?.dashboard;
}

const columnsSchema = z.array(z.string().max(40)).max(50);

/** The settings that put these columns of a list away. */
export const columnSettings = (list: string, hidden: string[]): MemberSettings => ({ [`columns.${list}`]: hidden });

/** The columns of a list that are put away, by a member's settings as stored. */
export function readHiddenColumns(stored: unknown, list: string): string[] {
  const kept = z.record(z.string(), z.unknown()).safeParse(stored).data?.[`columns.${list}`];
  return columnsSchema.safeParse(kept).data ?? [];
}
