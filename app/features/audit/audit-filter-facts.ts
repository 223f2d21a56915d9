export type AuditFilter = { user: string; action: string; resource: string; from: string; until: string };

export const NO_FILTER: AuditFilter = { user: '', action: '', resource: '', from: '', until: '' };

/** The name for entries of the system in the filter by user. */
export const NOBODY = 'quorate';
