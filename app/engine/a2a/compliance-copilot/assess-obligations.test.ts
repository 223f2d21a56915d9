import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAssessor } from '#app/engine/a2a/compliance-copilot/assess-obligations.ts';
import { readJurisdictions } from '#app/engine/a2a/compliance-copilot/jurisdictions.ts';
import { loadRegulations } from '#app/engine/a2a/compliance-copilot/regulation.ts';

const regulations = await loadRegulations();
const assess = createAssessor(regulations);
const ids = (text: string, jurisdictions?: unknown) => assess(text, jurisdictions).obligations.map((obligation) => obligation.id);

describe('the library', () => {
  it('holds at least twenty regulations with unique ids, each with obligations that can be brought up', () => {
    expect(regulations.length).toBeGreaterThanOrEqual(20);
    const obligations = regulations.flatMap((regulation) => regulation.obligations);
    expect(new Set(obligations.map((obligation) => obligation.id)).size).toBe(obligations.length);
    for (const obligation of obligations) {
      // A sentence made of the first term of each group brings the obligation up.
      const sentence = obligation.when.map((group) => (group[0] ?? '').replace('*', '')).join(' and ');
      expect(ids(sentence), obligation.id).toContain(obligation.id);
    }
  });
});

describe('assess', () => {
  it.each([
    ['We will transfer customer records to a vendor in the United States.', 'EU', ['gdpr-44', 'gdpr-28', 'gdpr-6']],
    ['A laptop with unencrypted patient records was stolen; the data breach was found on Monday.', 'US', ['hipaa-164-404']],
    ['Please store the card number 4111 1111 1111 1111 with its CVV in the spreadsheet.', 'US', ['pci-dss-3-3-1', 'pci-dss-3-5-1']],
    ['The AI model automatically rejects loan applications without human review.', 'Germany', ['ai-act-14', 'ai-act-6', 'gdpr-22']],
    [
      'An outage of online banking stopped payments for three hours after a ransomware incident.',
      ['FR'],
      ['dora-19', 'psd2-96', 'nis2-23'],
    ],
    ['Cash deposits just below the limit look like structuring.', 'US', ['bsa-1020-320']],
    ['Delete the audit workpapers before the investigation starts.', 'US', ['sox-802']],
    ['The batch record was edited and the audit trail switched off.', 'US', ['part-11-10-e']],
    ['A citizen filed a freedom of information request.', 'UK', ['uk-foia-10']],
    ['The fund offers guaranteed returns and is risk-free, so promote it to retail clients.', 'EU', ['mifid2-24']],
    ['Vamos exportar personal data abroad to the US.', 'Brazil', ['lgpd-33']],
  ])('%s (%s)', (text, jurisdictions, expected) => {
    expect(ids(text, jurisdictions)).toEqual(expect.arrayContaining(expected));
  });

  it.each(['The weather is fine today.', 'Lunch is at noon in room 12.', 'Thank you for your help with the seating plan.'])(
    'finds nothing in: %s',
    (text) => {
      expect(assess(text, '')).toMatchObject({ risk: 'low', obligations: [] });
    },
  );

  it('keeps to the jurisdictions it was given and names those it does not know', () => {
    const answer = assess('A data breach exposed patient records.', 'US, Atlantis');
    expect(answer.unknownJurisdictions).toEqual(['Atlantis']);
    expect(answer.obligations.map((obligation) => obligation.regulation)).not.toContain('GDPR');
    expect(answer.obligations.map((obligation) => obligation.regulation)).toContain('HIPAA');
  });

  it('quotes the passage from where it stands', () => {
    const text = 'Hello.\n\n  Second line. A data breach exposed e-mail addresses of customers! More text.';
    for (const { passage, because } of assess(text, 'EU').obligations) {
      expect(text.slice(passage.start, passage.end)).toBe(passage.text);
      expect(because.length).toBeGreaterThan(0);
    }
  });

  it('answers any text, with passages that stand in it', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('data breach', 'patient records', '. ', '\n', 'vendor', 'customer data'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join(' ');
        for (const { passage } of assess(text, undefined).obligations) expect(text.slice(passage.start, passage.end)).toBe(passage.text);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['a', 'a b ', 'data ', '.', '\n', 'data breach. ', 'a.b'])('reads long runs of %j in bounded time', (unit) => {
    const from = performance.now();
    assess(unit.repeat(Math.ceil(200_000 / unit.length)), '');
    expect(performance.now() - from).toBeLessThan(5_000);
  });
});

describe('readJurisdictions', () => {
  it('reads codes and names', () => {
    expect(readJurisdictions('Germany; usa, California\nUK')).toEqual({ known: ['EU', 'US', 'US-CA', 'UK'], unknown: [] });
    expect(readJurisdictions(['EU', 7, null])).toEqual({ known: ['EU'], unknown: ['7', 'null'] });
    expect(readJurisdictions(undefined)).toEqual({ known: [], unknown: [] });
  });
});
