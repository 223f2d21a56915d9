/** The label of a branch is an identifier; a reader sees its words. Apart from the schemas, since every page shows explanations. */
export const labelInWords = (label: string): string => label.replaceAll('_', ' ');
