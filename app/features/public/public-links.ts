/**
 * Where the foot of the public pages leads. A row is added when its page is there: what does not exist is not linked. `text` is the key
 * below `links` of the namespace `public`.
 */
export const PRODUCT_LINKS = [
  { text: 'features', to: '/#features' },
  { text: 'demo', to: '/#demo' },
  { text: 'integrations', to: '/#integrations' },
  { text: 'pricing', to: '/#pricing' },
] as const;

export const SOLUTION_LINKS = [
  { text: 'financialServices', to: '/#financial-services' },
  { text: 'healthcare', to: '/#healthcare' },
  { text: 'legal', to: '/#legal-compliance' },
  { text: 'manufacturing', to: '/#manufacturing' },
  { text: 'government', to: '/#government' },
] as const;

export const COMPANY_LINKS = [
  { text: 'about', to: '/#about' },
  { text: 'customers', to: '/#testimonials' },
  { text: 'newsletter', to: '/newsletter' },
] as const;

/** Legal pages, in one line at the very end. */
export const LEGAL_LINKS = [{ text: 'privacy', to: '/#privacy-center' }] as const;
