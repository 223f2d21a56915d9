/**
 * Where the foot of the public pages leads. A row is added when its page is there: what does not exist is not linked. `text` is the key
 * below `links` of the namespace `public`.
 */
export const PRODUCT_LINKS = [
  { text: 'features', to: '/#features' },
  { text: 'demo', to: '/#demo' },
  { text: 'integrations', to: '/#integrations' },
  { text: 'workflows', to: '/workflows' },
  { text: 'compliance', to: '/compliance' },
  { text: 'analytics', to: '/analytics' },
  { text: 'pricing', to: '/pricing' },
  { text: 'docs', to: '/docs' },
  { text: 'evidence', to: '/evidence' },
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
  { text: 'contact', to: '/contact' },
  { text: 'accessibility', to: '/accessibility' },
] as const;

/** Legal pages, in one line at the very end. */
export const LEGAL_LINKS = [
  { text: 'imprint', to: '/legal/imprint' },
  { text: 'privacyPolicy', to: '/legal/privacy' },
  { text: 'terms', to: '/legal/terms' },
  { text: 'cookies', to: '/legal/cookies' },
  { text: 'privacy', to: '/#privacy-center' },
] as const;
