import type { Json } from '#app/contracts/json.ts';
import { RISKS, type Risk } from '#app/contracts/statuses.ts';

/** Lists in which the peers of a run put what they found. */
const FINDING_LISTS = ['findings', 'obligations', 'matches'] as const;
/** Entries read of one list: an output may hold a million, and whoever reports that many has long said what it found. */
const MAX_ENTRIES = 10_000;

/** A word that is not here counts as high: nothing fails open because a peer grades in words of its own. */
const WORDS = new Map<string, Risk>([
  ['', 'low'],
  ['none', 'low'],
  ['info', 'low'],
  ['informational', 'low'],
  ['negligible', 'low'],
  ['minimal', 'low'],
  ['low', 'low'],
  ['minor', 'low'],
  ['limited', 'medium'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['warning', 'medium'],
]);

export type RiskFacts = { risk: Risk; findings: number };

/** The highest `risk` or `severity` that earlier steps reported, at the top of an output or in its lists of findings. */
export function riskOf(outputs: readonly Json[]): Risk {
  return riskFactsOf(outputs).risk;
}

/** The same, with the number of findings. A list too long to be read whole counts as high: what was not read may be anything. */
export function riskFactsOf(outputs: readonly Json[]): RiskFacts {
  let highest = 0;
  let findings = 0;
  for (const output of outputs) {
    if (!isRecord(output)) continue;
    highest = Math.max(highest, rankOf(output));
    // a loop reports how many findings its items had
    if (Object.hasOwn(output, 'findings') && typeof output.findings === 'number') findings += Math.max(0, output.findings);
    for (const name of FINDING_LISTS) {
      const list = Object.hasOwn(output, name) ? output[name] : undefined;
      if (!Array.isArray(list)) continue;
      findings += list.length;
      if (list.length > MAX_ENTRIES) highest = RISKS.length - 1;
      for (const entry of list.slice(0, MAX_ENTRIES)) if (isRecord(entry)) highest = Math.max(highest, rankOf(entry));
    }
  }
  return { risk: RISKS[highest] ?? 'high', findings };
}

export function isRisk(value: unknown): value is Risk {
  return (RISKS as readonly unknown[]).includes(value);
}

/** Facts of several steps together. */
export function sumRiskFacts(parts: Iterable<RiskFacts>): RiskFacts {
  let highest = 0;
  let findings = 0;
  for (const part of parts) {
    highest = Math.max(highest, RISKS.indexOf(part.risk));
    findings += part.findings;
  }
  return { risk: RISKS[highest] ?? 'high', findings };
}

function rankOf(entry: { [key: string]: Json }): number {
  return Math.max(rank(entry, 'risk'), rank(entry, 'severity'));
}

function rank(entry: { [key: string]: Json }, name: string): number {
  const value = Object.hasOwn(entry, name) ? entry[name] : undefined;
  if (typeof value !== 'string') return 0;
  return RISKS.indexOf(WORDS.get(value.trim().toLowerCase()) ?? 'high');
}

function isRecord(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
