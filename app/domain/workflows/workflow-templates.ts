import { WORKFLOW_FORMAT, type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';

/** Slugs of the built-in peers' connections, which the templates name. */
export const BUILTIN_TOOLS = 'quorate-tools';
export const BUILTIN_COPILOT = 'compliance-copilot';

const tool = (capability: string) => ({ kind: 'tool', connection: BUILTIN_TOOLS, capability });
const agent = (capability: string) => ({ kind: 'agent', connection: BUILTIN_COPILOT, capability });

function document(parts: unknown): WorkflowDocument {
  return workflowDocumentSchema.parse({ format: WORKFLOW_FORMAT, ...(parts as object) });
}

/**
 * A payment before it leaves the bank: the payee is screened against a list while its purpose is assessed for obligations. Checks stop
 * nobody; what a hit stops is the release, where a person decides: with their password where the hit is certain.
 */
const paymentScreening = document({
  input: [
    { name: 'payee', title: 'Payee', type: 'text' },
    { name: 'amount', title: 'Amount', type: 'number' },
    { name: 'currency', title: 'Currency', type: 'choice', options: ['EUR', 'USD', 'GBP', 'CHF'] },
    { name: 'purpose', title: 'Purpose of the payment', type: 'longtext' },
    { name: 'watchlist', title: 'Names to screen against, one a line', type: 'longtext' },
  ],
  steps: [
    {
      id: 'checks',
      name: 'Check payee and purpose',
      kind: 'branch',
      mode: 'parallel',
      branches: [
        {
          label: 'payee',
          when: '',
          steps: [
            {
              id: 'screen',
              name: 'Screen the payee',
              ...tool('screen_name'),
              input: { name: '=input.payee', list: '=[$split(input.watchlist, /\\r?\\n/).$trim()[$ != ""]]' },
            },
          ],
        },
        {
          label: 'purpose',
          when: '',
          steps: [
            {
              id: 'assess',
              name: 'Assess obligations',
              ...agent('assess_obligations'),
              input: {
                text: '="Payment of " & input.amount & " " & input.currency & " to " & input.payee & ". Purpose: " & input.purpose',
                jurisdictions: '=["EU", "US"]',
              },
            },
          ],
        },
      ],
    },
    {
      id: 'triage',
      name: 'Look at a possible hit',
      kind: 'branch',
      mode: 'choose',
      branches: [
        {
          label: 'certain_hit',
          when: '=$count(steps.screen.matches[severity = "high"]) > 0',
          steps: [
            {
              id: 'release',
              name: 'A person decides on the release',
              kind: 'approval',
              question: 'May this payment be released although its payee is on the list?',
              show: {
                Payee: '=input.payee',
                Amount: '=$string(input.amount) & " " & input.currency',
                Hits: '=steps.screen.matches',
                Purpose: '=input.purpose',
              },
              risk: 'high',
            },
          ],
        },
        {
          label: 'possible_hit',
          when: '=$count(steps.screen.matches) > 0',
          steps: [
            {
              id: 'review',
              name: 'A person reviews the hit',
              kind: 'approval',
              question: 'May this payment be released in spite of the possible screening hit?',
              show: {
                Payee: '=input.payee',
                Amount: '=$string(input.amount) & " " & input.currency',
                Hits: '=steps.screen.matches',
                Purpose: '=input.purpose',
              },
              risk: 'medium',
            },
          ],
        },
        { label: 'otherwise', when: '', steps: [] },
      ],
    },
    {
      id: 'note',
      name: 'Redact the release note',
      ...tool('redact_text'),
      input: { text: '="Released: " & $string(input.amount) & " " & input.currency & " to " & input.payee & ". " & input.purpose' },
    },
  ],
  output:
    '={ "released": true, "hits": $count(steps.screen.matches), "obligations": $count(steps.assess.obligations), "note": steps.note.text }',
  manualMinutes: 25,
  samples: [
    {
      name: 'Payee not on the list',
      input: {
        payee: 'Northwind Office Supplies',
        amount: 480.2,
        currency: 'EUR',
        purpose: 'Office supplies, invoice 2024-118',
        watchlist: 'Viktor Petrenko\nAnna Example\nJohn Sample',
      },
    },
    {
      name: 'Payee on the list',
      input: {
        payee: 'Viktor Petrenko',
        amount: 12_500.5,
        currency: 'EUR',
        purpose: 'Software licence, invoice 4711',
        watchlist: 'Viktor Petrenko\nAnna Example\nJohn Sample',
      },
    },
  ],
});

/**
 * A discharge letter on its way out of the hospital: what identifies the patient is masked first and the masked letter is checked. Where
 * the check still finds something, a person looks before the letter leaves.
 */
const dischargeLetter = document({
  input: [
    { name: 'letter', title: 'Discharge letter', type: 'longtext' },
    { name: 'admitted', title: 'Date of admission', type: 'date' },
    { name: 'discharged', title: 'Date of discharge', type: 'date' },
  ],
  steps: [
    { id: 'redact', name: 'Mask what identifies the patient', ...tool('redact_text'), input: { text: '=input.letter' } },
    { id: 'check', name: 'Check the masked letter', ...tool('detect_personal_data'), input: { text: '=steps.redact.text' } },
    {
      id: 'accompany',
      name: 'What goes with the letter',
      kind: 'branch',
      mode: 'parallel',
      branches: [
        {
          label: 'stay',
          when: '',
          steps: [
            {
              id: 'days',
              name: 'Length of the stay',
              ...tool('compare_dates'),
              input: { from: '=input.admitted', to: '=input.discharged' },
            },
          ],
        },
        {
          label: 'law',
          when: '',
          steps: [
            {
              id: 'assess',
              name: 'Assess obligations',
              ...agent('assess_obligations'),
              input: { text: '=steps.redact.text', jurisdictions: '=["EU", "US"]' },
            },
          ],
        },
      ],
    },
    {
      id: 'leave',
      name: 'Look at what the check still found',
      kind: 'branch',
      mode: 'choose',
      branches: [
        {
          label: 'something_left',
          when: '=steps.check.count > 0',
          steps: [
            {
              id: 'release',
              name: 'A person decides on the letter',
              kind: 'approval',
              question: 'May this letter leave although the check still found personal data?',
              show: { Letter: '=steps.redact.text', Found: '=steps.check.findings' },
              risk: 'high',
            },
          ],
        },
        { label: 'otherwise', when: '', steps: [] },
      ],
    },
  ],
  output:
    '={ "letter": steps.redact.text, "masked": steps.redact.redactions, "left": steps.check.count, "days": steps.days.days, "obligations": $count(steps.assess.obligations) }',
  manualMinutes: 15,
  samples: [
    {
      name: 'A stay of five days',
      input: {
        letter:
          'Discharge letter for Jane Example, jane@example.com, telephone +44 20 7946 0958. Admitted with pneumonia, treated with antibiotics, discharged in good health. Follow-up with the general practitioner in two weeks.',
        admitted: '2026-03-02',
        discharged: '2026-03-07',
      },
    },
  ],
});

/** A request for records at a public office: due date, what must be withheld, and a decision by an officer before release. */
const recordsRequest = document({
  input: [
    { name: 'request', title: 'Request', type: 'longtext' },
    { name: 'record', title: 'Record that was asked for', type: 'longtext' },
    { name: 'received', title: 'Received on', type: 'date' },
    { name: 'today', title: 'Answered on', type: 'date' },
  ],
  steps: [
    { id: 'elapsed', name: 'Days since the request', ...tool('compare_dates'), input: { from: '=input.received', to: '=input.today' } },
    { id: 'redact', name: 'Withhold personal data', ...tool('redact_text'), input: { text: '=input.record' } },
    {
      id: 'assess',
      name: 'Assess obligations',
      ...agent('assess_obligations'),
      input: { text: '=input.request', jurisdictions: '=["US", "EU"]' },
    },
    {
      id: 'release',
      name: 'An officer decides',
      kind: 'approval',
      question: 'May this record be released as shown?',
      show: { Request: '=input.request', 'Record as released': '=steps.redact.text', 'Days since the request': '=steps.elapsed.days' },
      risk: 'medium',
      dueHours: 48,
    },
  ],
  output: '={ "record": steps.redact.text, "daysUsed": steps.elapsed.days, "late": steps.elapsed.days > 20 }',
  manualMinutes: 40,
  samples: [
    {
      name: 'Minutes of a meeting',
      input: {
        request: 'Please send me the minutes of the planning meeting about the new cycle path.',
        record:
          'Minutes of the planning meeting. Present: the committee; for questions write to clerk@example.com or call +1 212-555-0123. Resolved: the cycle path is built as drawn.',
        received: '2026-03-02',
        today: '2026-03-16',
      },
    },
  ],
});

/** Three pieces of work that a bank, a hospital and a public office know; all run with the built-in peers, offline. */
export const WORKFLOW_TEMPLATES = [
  { id: 'paymentScreening', document: paymentScreening },
  { id: 'dischargeLetter', document: dischargeLetter },
  { id: 'recordsRequest', document: recordsRequest },
] as const;

export type WorkflowTemplate = (typeof WORKFLOW_TEMPLATES)[number];
export type WorkflowTemplateId = WorkflowTemplate['id'];

export function findTemplate(id: string): WorkflowTemplate | null {
  return WORKFLOW_TEMPLATES.find((template) => template.id === id) ?? null;
}
