/** Texts of the templates' fields, steps and questions: the English of the documents, and its key below `templates.words`. */
export const TEMPLATE_WORDS = {
  Payee: 'payee',
  Amount: 'amount',
  'Purpose of the payment': 'purpose',
  'Names to screen against, one per line': 'watchlist',
  'Discharge letter': 'letter',
  'Date of admission': 'admitted',
  'Date of discharge': 'discharged',
  Request: 'request',
  'Record that was asked for': 'record',
  'Received on': 'received',
  'Answered on': 'answered',
  'Check payee and purpose': 'checks',
  'Screen the payee': 'screen',
  'Assess obligations': 'assess',
  'Look at a possible hit': 'triage',
  'A person reviews the hit': 'review',
  'A person decides on the release': 'release',
  'May this payment be released although its payee is on the list?': 'listedQuestion',
  'Redact the release note': 'note',
  'Mask what identifies the patient': 'mask',
  'Check the masked letter': 'check',
  'Look at what the check still found': 'remaining',
  'A person decides on the letter': 'letterDecision',
  'May this letter leave although the check still found personal data?': 'letterQuestion',
  Letter: 'letterShown',
  Found: 'found',
  'What goes with the letter': 'accompany',
  'Length of the stay': 'stay',
  'Days since the request': 'elapsed',
  'Withhold personal data': 'withhold',
  'An officer decides': 'officer',
  'May this payment be released in spite of the possible screening hit?': 'reviewQuestion',
  'May this record be released as shown?': 'releaseQuestion',
  Hits: 'hits',
  Purpose: 'reason',
  'Record as released': 'released',
  'Item to buy': 'purchaseItem',
  'Ask for missing details': 'purchaseDetails',
  'Which cost centre pays, and when is it needed?': 'purchaseDetailsQuestion',
  'Cost centre': 'costCentre',
  'Needed by': 'neededBy',
  Item: 'item',
  'A person decides on the purchase': 'purchaseDecision',
  'May we buy this?': 'purchaseQuestion',
  'Your purchase was approved': 'purchaseApproved',
  'If the purchase falls through': 'purchaseNothing',
  'Your purchase request failed': 'purchaseFailed',
  'Your purchase request was cancelled': 'purchaseCancelled',
  'Suppliers, one per line': 'suppliers',
  'Screen each supplier': 'eachSupplier',
  'Screen the supplier': 'screenSupplier',
  'Look at possible hits': 'triageHits',
  'A person reviews the hits': 'reviewHits',
  'May we continue buying from the suppliers with a possible hit?': 'supplierQuestion',
  Customer: 'customer',
  'Until the documents are complete': 'documentsComplete',
  'Check the documents': 'documents',
  'Are the identity document and the proof of address complete?': 'documentsQuestion',
  'Everything is there': 'documentsAllThere',
  'Still missing': 'documentsMissing',
  'Screen the customer': 'screenCustomer',
  'Give the signature service this address': 'signatureAddress',
  'Wait for the signed contract': 'signedContract',
  'A person opens the account': 'openAccount',
  'May this account be opened?': 'openAccountQuestion',
  'Policy number': 'policyNumber',
  Claimant: 'claimant',
  'Look up the policy': 'policyLookup',
  'Screen the claimant': 'screenClaimant',
  'A person decides on the payout': 'payoutDecision',
  'May this claim be paid?': 'payoutQuestion',
  Cover: 'cover',
  'The claim was approved': 'claimApproved',
  'If the payout falls through': 'payoutNothing',
  'The claim could not be paid': 'claimFailed',
  'The claim was cancelled': 'claimCancelled',
  Counterparty: 'counterparty',
  Contract: 'contract',
  'Read the contract': 'contractReading',
  'Read the file': 'contractFile',
  'Take its text': 'contractFound',
  'Ask for its text': 'contractTyped',
  'The contract could not be read from a file. What does it say?': 'contractTypedQuestion',
  'Text of the contract': 'contractText',
  'A person decides on the contract': 'contractDecision',
  'May we sign this contract?': 'contractQuestion',
  Obligations: 'obligations',
  'Write the summary': 'contractSummary',
} as const;

/**
 * The sentences on what approving does, and their keys below `templates.words`, where each placeholder has the last name of its expression.
 */
export const TEMPLATE_SENTENCES = {
  'Pay {{ input.amount }} to {{ input.payee }}': 'paymentSentence',
  'Send the letter; personal data still found: {{ $count(steps.check.findings) }}': 'letterSentence',
  'Release the redacted record: {{ input.request }}': 'releaseSentence',
  'Continue buying from {{ [steps.each_supplier.results[hits > 0].supplier] }}': 'supplierSentence',
  'Buy {{ input.item }} for {{ input.amount }}': 'purchaseSentence',
  'Open an account for {{ input.customer }}': 'openAccountSentence',
  'Pay {{ input.amount }} to {{ input.claimant }} under policy {{ input.policy }}': 'payoutSentence',
  'Sign the contract with {{ input.counterparty }}': 'contractSentence',
} as const;

const PLACES = ['amount', 'payee', 'findings', 'request', 'supplier', 'item', 'customer', 'claimant', 'policy', 'counterparty'] as const;
type SentencePlaces = Record<(typeof PLACES)[number], string>;
const places = (of: (name: string) => string) => Object.fromEntries(PLACES.map((name) => [name, of(name)])) as SentencePlaces;

/** The places of such a sentence by the names that its translations have for them; empty for those that it has not. */
export function sentencePlaces(sentence: string): SentencePlaces {
  const own = new Map([...sentence.matchAll(/\{\{.*?(\w+)\W*\}\}/g)].map(([place, name = '']) => [name, place]));
  return places((name) => own.get(name) ?? '');
}
/** Leaves the places of a translation as they are. */
export const NAMED_PLACES = places((name) => `{{${name}}}`);

/** Labels of the templates' branches, and their keys below `templates.words`. In a document a label is an identifier: it is only shown in words. */
export const BRANCH_WORDS = {
  payee: 'branchPayee',
  purpose: 'branchPurpose',
  certain_hit: 'branchCertainHit',
  possible_hit: 'branchPossibleHit',
  stay: 'branchStay',
  law: 'branchLaw',
  something_left: 'branchSomethingLeft',
  some_hit: 'branchSomeHit',
  otherwise: 'branchOtherwise',
} as const;

/** Keys below `templates.words` of the other names that Quorate ships: of the samples, and of the policies that every workspace begins with. */
export const SHIPPED_NAME_KEYS = [
  'sampleNotListed',
  'sampleListed',
  'sampleStay',
  'sampleMinutes',
  'sampleSuppliers',
  'sampleDesk',
  'sampleCustomer',
  'sampleClaim',
  'sampleContract',
  'personalDataStays',
  'personalDataStaysDescription',
  'highRisk',
  'highRiskDescription',
  'approvedOnly',
  'approvedOnlyDescription',
] as const;

/** Keys below `templates.words` of what the samples and the demo's runs were given, and of the reasons of its approver. */
export const SHIPPED_VALUE_KEYS = [
  'sampleSupplies',
  'sampleLicence',
  'sampleLetter',
  'sampleDeskItem',
  'sampleRequest',
  'sampleRecord',
  'runTranslation',
  'runFreight',
  'runConsulting',
  'runWithdrawn',
  'runPresent',
  'runOtherPerson',
  'runOnTheList',
  'runRelease',
  'runEmptyList',
] as const;
