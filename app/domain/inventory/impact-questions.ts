/** Questions of an impact assessment, each with where the law asks it. Citations are not translated. */
export const IMPACT_QUESTIONS = [
  { id: 'process', article: 'AI Act, Article 27(1)(a); GDPR, Article 35(7)(a)' },
  { id: 'period', article: 'AI Act, Article 27(1)(b)' },
  { id: 'people', article: 'AI Act, Article 27(1)(c)' },
  { id: 'harms', article: 'AI Act, Article 27(1)(d); GDPR, Article 35(7)(c)' },
  { id: 'necessity', article: 'GDPR, Article 35(7)(b)' },
  { id: 'oversight', article: 'AI Act, Article 27(1)(e)' },
  { id: 'measures', article: 'AI Act, Article 27(1)(f); GDPR, Article 35(7)(d)' },
] as const;
export type ImpactQuestion = (typeof IMPACT_QUESTIONS)[number]['id'];
