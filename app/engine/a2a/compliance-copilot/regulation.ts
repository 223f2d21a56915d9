import type { Risk } from '#app/domain/statuses.ts';
import type { PersonalDataKind } from '#app/engine/personal-data/find-personal-data.ts';

/**
 * One duty of a law or standard and the words that bring it up. It applies to a passage in which every group of `when`
 * has a match: a term is a word or phrase in lower case, `*` at its end stands for any ending. `contains` asks for
 * personal data of one of these kinds in the passage, in place of words.
 */
export type Obligation = {
  id: string;
  /** As it is cited: 'Article 33(1)'. */
  article: string;
  title: string;
  /** What must be done, in one sentence. */
  duty: string;
  severity: Risk;
  when: readonly (readonly string[])[];
  contains?: readonly PersonalDataKind[];
};

export type Regulation = {
  id: string;
  /** Short name as it is spoken of. */
  name: string;
  /** The official title and number. */
  citation: string;
  /** EU, UK, US, US-CA, BR …; INTL applies wherever one is. */
  jurisdictions: readonly string[];
  kind: 'law' | 'standard';
  obligations: readonly Obligation[];
};
