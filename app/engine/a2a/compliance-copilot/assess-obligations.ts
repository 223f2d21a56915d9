import { findPersonalData, type PersonalDataKind } from '#app/domain/personal-data.ts';
import { RISKS, type Risk } from '#app/domain/statuses.ts';
import { readJurisdictions } from '#app/engine/a2a/compliance-copilot/jurisdictions.ts';
import type { Obligation, Regulation } from '#app/engine/a2a/compliance-copilot/regulation.ts';

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

type Passage = { text: string; plain: string; start: number; kinds: Set<PersonalDataKind> };
type Rule = { regulation: Regulation; obligation: Obligation; groups: RegExp[] };

/** Makes an assessor of a library. Its rules are compiled once. */
export function createAssessor(library: readonly Regulation[]): (text: string, jurisdictions: unknown) => Assessment {
  const rules: Rule[] = library.flatMap((regulation) =>
    regulation.obligations.map((obligation) => ({ regulation, obligation, groups: obligation.when.map(patternOf) })),
  );
  return (text, jurisdictions) => {
    const { known, unknown } = readJurisdictions(jurisdictions);
    const passages = passagesOf(text.slice(0, ASSESSED_CHARACTERS));
    const covered = (regulation: Regulation) =>
      known.length === 0 || regulation.jurisdictions.some((jurisdiction) => jurisdiction === 'INTL' || known.includes(jurisdiction));
    const obligations = rules.flatMap((rule) => (covered(rule.regulation) ? applied(rule, passages) : []));
    obligations.sort((a, b) => RISKS.indexOf(b.severity) - RISKS.indexOf(a.severity));
    const highest = obligations[0]?.severity ?? 'low';
    const regulations = new Set(obligations.map((obligation) => obligation.regulation));
    return {
      risk: highest,
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
  return `${obligations.length} ${obligations.length === 1 ? 'obligation' : 'obligations'} of ${regulations} ${regulations === 1 ? 'regulation' : 'regulations'} apply, ${high} of high severity.`;
}

/** The passage with the most reasons speaks for the obligation; at equal numbers the first. */
function applied(rule: Rule, passages: readonly Passage[]): AppliedObligation[] {
  let best: { passage: Passage; because: string[] } | null = null;
  for (const passage of passages) {
    const because = reasonsIn(passage, rule);
    if (because !== null && because.length > (best?.because.length ?? 0)) best = { passage, because };
  }
  if (best === null) return [];
  const { regulation, obligation } = rule;
  return [
    {
      id: obligation.id,
      regulation: regulation.name,
      citation: regulation.citation,
      article: obligation.article,
      title: obligation.title,
      duty: obligation.duty,
      severity: obligation.severity,
      passage: { text: best.passage.text, start: best.passage.start, end: best.passage.start + best.passage.text.length },
      because: best.because,
    },
  ];
}

function reasonsIn(passage: Passage, rule: Rule): string[] | null {
  const because = new Set<string>();
  const kinds = (rule.obligation.contains ?? []).filter((kind) => passage.kinds.has(kind));
  for (const kind of kinds) because.add(kind);
  if (kinds.length === 0) {
    if (rule.groups.length === 0) return null;
    for (const group of rule.groups) {
      const found = new Set(Array.from(passage.plain.matchAll(group), (match) => match[0]));
      if (found.size === 0) return null;
      for (const word of found) because.add(word);
    }
  }
  return [...because].slice(0, 12);
}

/** Longest terms first, so that 'personal data breach' is named rather than 'personal data'. */
function patternOf(terms: readonly string[]): RegExp {
  const alternatives = terms
    .toSorted((a, b) => b.length - a.length)
    .map((term) =>
      term
        .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll(' ', '[\\s-]+')
        .replace(/\*$/, '[\\p{L}\\p{N}]{0,20}'),
    );
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
}

/** Sentences, list items and lines; long ones in pieces, each with the place where it begins. */
function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  for (const match of text.matchAll(/[^\n.!?;]{1,600}(?:[.!?;]+(?![\s\n])[^\n.!?;]{1,600}){0,20}[.!?;]{0,3}/g)) {
    for (let offset = 0; offset < match[0].length; offset += PASSAGE_CHARACTERS) {
      const raw = match[0].slice(offset, offset + PASSAGE_CHARACTERS);
      const piece = raw.trim();
      if (piece === '') continue;
      const start = match.index + offset + raw.indexOf(piece);
      const kinds = new Set(
        findPersonalData(piece)
          .filter((finding) => finding.certain)
          .map((finding) => finding.kind),
      );
      passages.push({ text: piece, plain: piece.toLowerCase(), start, kinds });
    }
  }
  return passages;
}
