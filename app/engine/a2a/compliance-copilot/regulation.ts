import { loadLaws, type Obligation } from '#app/engine/compliance/laws.ts';

/** One law or standard as the copilot knows it. */
export type Regulation = {
  /** Short name as it is spoken of. */
  name: string;
  /** The official title and number. */
  citation: string;
  /** EU, UK, US, US-CA, BR …; INTL applies wherever one is. */
  jurisdiction: string;
  obligations: readonly Obligation[];
};

/** The laws and standards with obligations that a text can bring up, the terms that several share written out. */
export async function loadRegulations(): Promise<Regulation[]> {
  const { terms, laws } = await loadLaws();
  const written = (term: string) => {
    if (!term.startsWith('@')) return [term];
    const group = terms[term.slice(1)];
    if (group === undefined) throw new Error(`laws.json has no terms '${term}'`);
    return group;
  };
  return laws.flatMap(({ name, citation, region, copilot }) =>
    copilot === undefined
      ? []
      : [
          {
            name: copilot.name ?? name,
            citation: copilot.citation ?? citation,
            jurisdiction: region,
            obligations: copilot.obligations.map((obligation) => ({
              ...obligation,
              when: obligation.when.map((group) => group.flatMap(written)),
            })),
          },
        ],
  );
}
