import { agent, templateDocument, tool } from '#app/domain/workflows/templates/template-document.ts';

/** A request for records at a public office: due date, what must be withheld, and a decision by an officer before release. */
export const recordsRequest = templateDocument({
  input: [
    { name: 'request', title: 'Request', type: 'longtext' },
    { name: 'record', title: 'Record that was asked for', type: 'longtext' },
    { name: 'received', title: 'Received on', type: 'date' },
    { name: 'today', title: 'Answered on', type: 'date' },
  ],
  subject: '{{ input.request }}',
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
      sentence: 'Release the redacted record: {{ input.request }}',
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
