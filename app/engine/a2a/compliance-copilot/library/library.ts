import { GDPR } from '#app/engine/a2a/compliance-copilot/library/gdpr.ts';
import type { Regulation } from '#app/engine/a2a/compliance-copilot/regulation.ts';

/** What the Compliance Copilot knows. The version rises with every change of a duty or a rule. */
export const LIBRARY_VERSION = '1.0.0';
export const LIBRARY: readonly Regulation[] = [GDPR];
