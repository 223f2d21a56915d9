import { agent, templateDocument, tool } from '#app/domain/workflows/templates/template-document.ts';

/**
 * A discharge letter on its way out of the hospital: what identifies the patient is masked first and the masked letter is checked. Where
 * the check still finds something, a person looks before the letter leaves.
 */
export const dischargeLetter = templateDocument({
  input: [
    { name: 'letter', title: 'Discharge letter', type: 'longtext' },
    { name: 'admitted', title: 'Date of admission', type: 'date' },
    { name: 'discharged', title: 'Date of discharge', type: 'date' },
  ],
  subject: '{{ input.admitted }} – {{ input.discharged }}',
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
              sentence: 'Send the letter; personal data still found: {{ $count(steps.check.findings) }}',
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
