import { z } from 'zod';

export const SEVERITIES = ['low', 'medium', 'high'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Harm that shortens a clock: a person died; a widespread infringement, or critical infrastructure is disrupted for good (AI Act, Article 3(49)(b), (61)). */
export const HARMS = ['death', 'widespread'] as const;
export type Harm = (typeof HARMS)[number];

/** Laws under which an incident is reported; their clocks stand in the catalogue. */
export const REGIMES = ['dora', 'nis2', 'aiAct', 'gdpr'] as const;
export type Regime = (typeof REGIMES)[number];

/** The reports of all of them. */
export const REPORT_STEPS = ['initial', 'intermediate', 'warning', 'notification', 'report', 'final'] as const;
export type ReportStepId = (typeof REPORT_STEPS)[number];

export const TOUCHED_KINDS = ['run', 'agent', 'connection'] as const;
export const touchedSchema = z.object({ kind: z.enum(TOUCHED_KINDS), id: z.uuid() });
/** A run, an agent of the workspace or a connection that an incident is about. */
export type Touched = z.infer<typeof touchedSchema>;

export const TITLE_MAX = 200;
export const TEXT_MAX = 10_000;
export const REFERENCE_MAX = 200;
export const TOUCHED_MAX = 200;
