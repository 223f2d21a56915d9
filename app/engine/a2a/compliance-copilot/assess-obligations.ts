import { RISKS, type Risk } from '#app/contracts/statuses.ts';
import { readJurisdictions } from '#app/engine/a2a/compliance-copilot/jurisdictions.ts';
import type { Regulation } from '#app/engine/a2a/compliance-copilot/regulation.ts';
import { TermIndex } from '#app/engine/a2a/compliance-copilot/term-index.ts';
import type { Obligation } from '#app/engine/compliance/laws.ts';
import { findPersonalData } from '#app/engine/personal-data/find-personal-data.ts';

/** Characters of text that are read; the answer says when there were more. */
export const ASSESSED_CHARACTERS = 200_000;
const PASSAGE_CHARACTERS = 600;

export type AppliedObligation = {
  id: string;
  regulation: string;
  citation: string;
  article: string;
  title: string;
  duty: string;
  severity: Risk;
  /** The text that made it apply; offsets count UTF-16 units of the text that was given. */
  passage: { text: string; start: number; end: number };
  /** Words and kinds of data found in the passage. */
  because: string[];
};

export type Assessment = {
  risk: Risk;
  summary: string;
  obligations: AppliedObligation[];
  jurisdictions: string[];
  unknownJurisdictions: string[];
  regulationsChecked: number;
  truncated: boolean;
};

type Passage = { start: number; end: number; hits: Map<number, Reasons> };
/** For one rule in one passage: which of its groups were met (a bit each), and the words that met them. */
type Reasons = { met: number; words: Set<string> };
type Rule = { regulation: Regulation; obligation: Obligation; whole: number };

/** Makes an assessor of a library. Its terms are indexed once. */
export function createAssessor(library: readonly Regulation[]): (text: string, jurisdictions: unknown) => Assessment {
  const rules: Rule[] = library.flatMap((regulation) =>
    regulation.obligations.map((obligation) => ({ regulation, obligation, whole: 2 ** obligation.when.length - 1 })),
  );
  const uses = new Map<string, { rule: number; group: number }[]>();
  for (const [rule, { obligation }] of rules.entries()) {
    for (const [group, terms] of obligation.when.entries()) {
      for (const term of terms) uses.set(term, [...(uses.get(term) ?? []), { rule, group }]);
    }
  }
  const index = new TermIndex([...uses.keys()]);
  const usesByTerm = [...uses.values()];
  return (text, jurisdictions) => {
    const { known, unknown } = readJurisdictions(jurisdictions);
    const read = text.slice(0, ASSESSED_CHARACTERS);
    const passages = passagesOf(read);
    for (const hit of index.find(read)) {
      const passage = passageAt(passages, hit.start);
      // A term that runs over the end of a sentence says nothing.
      if (passage === null || hit.end > passage.end) continue;
      for (const { rule, group } of usesByTerm[hit.term] ?? [])
        meet(passage, rule, 2 ** group, read.slice(hit.start, hit.end).toLowerCase());
    }
    for (const finding of findPersonalData(read)) {
      const passage = finding.certain ? passageAt(passages, finding.start) : null;
      if (passage === null) continue;
      for (const [rule, { obligation, whole }] of rules.entries())
        if (obligation.contains?.includes(finding.kind)) meet(passage, rule, whole, finding.kind);
    }
    const covered = (regulation: Regulation) =>
      known.length === 0 || regulation.jurisdiction === 'INTL' || known.includes(regulation.jurisdiction);
    const found = bestPassages(passages, rules, read);
    const obligations = [...found]
      .sort(([a], [b]) => a - b)
      .flatMap(([rule, best]) => {
        const applied = rules[rule];
        return applied !== undefined && covered(applied.regulation) ? [asApplied(applied, best, read)] : [];
      })
      .sort((a, b) => RISKS.indexOf(b.severity) - RISKS.indexOf(a.severity));
    const regulations = new Set(obligations.map((obligation) => obligation.regulation));
    return {
      risk: obligations[0]?.severity ?? 'low',
      summary: summaryOf(obligations, regulations.size),
      obligations,
      jurisdictions: known,
      unknownJurisdictions: unknown,
      regulationsChecked: library.filter(covered).length,
      truncated: text.length > ASSESSED_CHARACTERS,
    };
  };
}

function summaryOf(obligations: readonly AppliedObligation[], regulations: number): string {
  if (obligations.length === 0) return 'No obligation of the library applies to this text.';
  const high = obligations.filter((obligation) => obligation.severity === 'high').length;
  return `${obligations.length} ${obligations.length === 1 ? 'obligation' : 'obligations'} of ${regulations} ${regulations === 1 ? 'regulation' : 'regulations'} ${obligations.length === 1 ? 'applies' : 'apply'}, ${high} of high severity.`;
}

function meet(passage: Passage, rule: number, group: number, word: string): void {
  const reasons = passage.hits.get(rule) ?? { met: 0, words: new Set<string>() };
  reasons.met |= group;
  reasons.words.add(word);
  passage.hits.set(rule, reasons);
}

type Best = { start: number; end: number; words: Set<string> };

/**
 * The passage with the most reasons speaks for a rule; at equal numbers the first. Two sentences that follow one another
 * speak together only where neither of any pair does alone.
 */
function bestPassages(passages: readonly Passage[], rules: readonly Rule[], text: string): Map<number, Best> {
  const best = new Map<number, Best>();
  const offer = (rule: number, candidate: Best) => {
    if (candidate.words.size > (best.get(rule)?.words.size ?? 0)) best.set(rule, candidate);
  };
  for (const passage of passages) {
    for (const [rule, { met, words }] of passage.hits)
      if (met === rules[rule]?.whole) offer(rule, { start: passage.start, end: passage.end, words });
  }
  const alone = new Set(best.keys());
  for (const [index, passage] of passages.entries()) {
    const next = passages[index + 1];
    if (next === undefined || next.end - passage.start > PASSAGE_CHARACTERS || /\n\s*\n/.test(text.slice(passage.end, next.start)))
      continue;
    for (const [rule, { met, words }] of passage.hits) {
      const other = next.hits.get(rule);
      if (other === undefined || alone.has(rule) || (met | other.met) !== rules[rule]?.whole) continue;
      offer(rule, { start: passage.start, end: next.end, words: new Set([...words, ...other.words]) });
    }
  }
  return best;
}

function asApplied({ regulation, obligation }: Rule, best: Best, text: string): AppliedObligation {
  return {
    id: obligation.id,
    regulation: regulation.name,
    citation: regulation.citation,
    article: obligation.article,
    title: obligation.title,
    duty: obligation.duty,
    severity: obligation.severity,
    passage: { text: text.slice(best.start, best.end), start: best.start, end: best.end },
    because: [...best.words].slice(0, 12),
  };
}

/** Sentences and lines; long ones in pieces. In order, without overlaps. */
function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  for (const match of text.matchAll(/[^\n.!?]{1,600}(?:[.!?]+(?!\s)[^\n.!?]{1,600}){0,20}[.!?]{0,3}/g)) {
    for (let offset = 0; offset < match[0].length; offset += PASSAGE_CHARACTERS) {
      const raw = match[0].slice(offset, offset + PASSAGE_CHARACTERS);
      const piece = raw.trim();
      if (piece === '') continue;
      const start = match.index + offset + raw.indexOf(piece);
      passages.push({ start, end: start + piece.length, hits: new Map() });
    }
  }
  return passages;
}

/** The passage that holds an offset, by halving. */
function passageAt(passages: readonly Passage[], offset: number): Passage | null {
  let low = 0;
  let high = passages.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const passage = passages[middle];
    if (passage === undefined) return null;
    if (offset < passage.start) high = middle - 1;
    else if (offset >= passage.end) low = middle + 1;
    else return passage;
  }
  return null;
}
