import type { Json } from '#app/contracts/json.ts';
import { DEMO_TEMPLATES, type DemoTemplateId } from '#app/domain/workflows/workflow-templates.ts';

/** The decision that a person of the demo takes on a run once it waits for a decision. Without one the run stays as it comes to rest. */
export type SampleAct = { kind: 'approve' | 'reject'; reason: string } | { kind: 'cancel' };
export type SampleRun = {
  /** Request key of its start, so that it is started once whatever happens in between. */
  key: string;
  template: DemoTemplateId;
  input: { [name: string]: Json };
  act?: SampleAct;
};

function sample(template: DemoTemplateId, place: number, changes: { [name: string]: Json } = {}): { [name: string]: Json } {
  const found = DEMO_TEMPLATES.find(({ id }) => id === template)?.document.samples?.[place];
  if (found === undefined) throw new Error(`the template ${template} has no sample ${place + 1}`);
  return { ...found.input, ...changes };
}

/**
 * One run for each state that stays: completed, with and without an approval; failed for a missing list and for a rejection; cancelled; and
 * two that wait, one of them for a password. A state that passes (pending, processing) is nothing that could be shown later.
 */
export const SAMPLE_RUNS: readonly SampleRun[] = [
  { key: 'demo-payment-clear', template: 'paymentScreening', input: sample('paymentScreening', 0) },
  {
    key: 'demo-payment-approved',
    template: 'paymentScreening',
    input: sample('paymentScreening', 1, {
      payee: 'V. Petrenko',
      amount: { amount: 310, currency: 'EUR' },
      purpose: 'Translation, invoice 2024-031',
    }),
    act: { kind: 'approve', reason: 'Checked against the passport: another person with a similar name.' },
  },
  {
    key: 'demo-payment-rejected',
    template: 'paymentScreening',
    input: sample('paymentScreening', 1),
    act: { kind: 'reject', reason: 'The payee is on the list. The case goes to the sanctions team.' },
  },
  {
    key: 'demo-payment-without-list',
    template: 'paymentScreening',
    input: sample('paymentScreening', 0, {
      payee: 'Harbour Logistics',
      amount: { amount: 1_950, currency: 'EUR' },
      purpose: 'Freight, invoice 88',
      watchlist: ' ',
    }),
  },
  { key: 'demo-letter', template: 'dischargeLetter', input: sample('dischargeLetter', 0) },
  {
    key: 'demo-records-approved',
    template: 'recordsRequest',
    input: sample('recordsRequest', 0),
    act: { kind: 'approve', reason: 'Personal data is withheld. Release as shown.' },
  },
  {
    key: 'demo-records-cancelled',
    template: 'recordsRequest',
    input: sample('recordsRequest', 0, {
      request: 'Please send me the minutes of the planning meeting. I withdrew this request by phone.',
    }),
    act: { kind: 'cancel' },
  },
  {
    key: 'demo-payment-waiting',
    template: 'paymentScreening',
    input: sample('paymentScreening', 1, {
      payee: 'John Sample',
      amount: { amount: 3_900, currency: 'USD' },
      purpose: 'Consulting, invoice 17',
    }),
  },
  {
    key: 'demo-records-waiting',
    template: 'recordsRequest',
    input: sample('recordsRequest', 0, {
      request: 'Please send me the minutes of the planning meeting, with the list of who was present.',
    }),
  },
];
