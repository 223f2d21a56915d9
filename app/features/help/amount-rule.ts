/** The first rule of the policy `bank-payments`, which an author can begin with; a test holds the two together. */
export const AMOUNT_RULE = `@id("large_payment")
@verdict("require_approval")
@reason("Two people release payments over 10,000 EUR.")
@approvers("2")
@due_hours("24")
forbid(principal, action == Action::"bank/transfer", resource)
when { context.input.amount.greaterThan(decimal("10000.0")) && context.input.currency == "EUR" };
`;
