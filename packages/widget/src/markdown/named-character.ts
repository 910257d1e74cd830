/**
 * The characters of `&name;`. The build uses this file in place of the package `decode-named-character-reference`, which sets
 * `innerHTML`, although pages with trusted types forbid it, and whose full table is a third of the parser's size.
 */

/** The names that people and models use, each after its character. */
const table =
  "&amp <lt >gt \"quot 'apos \u00a0nbsp ©copy ®reg ™trade …hellip —mdash –ndash «laquo »raquo “ldquo ”rdquo ‘lsquo ’rsquo „bdquo " +
  "‚sbquo ‹lsaquo ›rsaquo •bull ·middot ×times ÷divide ±plusmn −minus °deg €euro £pound ¥yen ¢cent ¤curren §sect ¶para " +
  "†dagger ‡Dagger №numero ←larr →rarr ↑uarr ↓darr ↔harr ⇐lArr ⇒rArr ⇔hArr ∞infin ≠ne ≤le ≥ge ≈asymp ≡equiv ∑sum ∏prod " +
  "√radic ∫int ∂part ∇nabla ∀forall ∃exist ∅empty ∈isin ∉notin ⊂sub ⊆sube ∪cup ∩cap ∧and ∨or ¬not ∝prop ∠ang ⋅sdot ½frac12 " +
  "¼frac14 ¾frac34 ¹sup1 ²sup2 ³sup3 ‰permil ′prime ″Prime µmicro αalpha βbeta γgamma δdelta εepsilon ζzeta ηeta θtheta ιiota " +
  "κkappa λlambda μmu νnu ξxi πpi ρrho σsigma τtau φphi χchi ψpsi ωomega ΓGamma ΔDelta ΘTheta ΛLambda ΠPi ΣSigma ΦPhi ΨPsi " +
  "ΩOmega \u2002ensp \u2003emsp \u2009thinsp \u200dzwj \u200czwnj \u00adshy ¡iexcl ¿iquest ßszlig äauml öouml üuuml ÄAuml ÖOuml " +
  "ÜUuml éeacute èegrave ñntilde çccedil [lbrack ]rbrack {lbrace }rbrace |vert \\bsol `grave *ast _lowbar #num @commat !excl";

const characters = new Map(table.split(" ").map((entry) => [entry.slice(1), entry.slice(0, 1)]));

/**
 * The character of a name. Browsers with `Element.setHTML` also read names that are not in the table.
 *
 * @param name without `&` and `;`
 * @returns `false` if there is no such name, or this browser cannot read it
 *
 * @example decodeNamedCharacterReference("mdash") // "—"
 */
export function decodeNamedCharacterReference(name: string): string | false {
  return characters.get(name) ?? readWithSetHtml(name);
}

function readWithSetHtml(name: string): string | false {
  const element: Element & { readonly setHTML?: (html: string) => void } = globalThis.document.createElement("i");
  if (!element.setHTML) return false;
  const reference = `&${name};`;
  element.setHTML(reference);
  const text = element.textContent;
  // HTML reads some names without a semicolon: `&notit;` is `¬it;`. A result that ends with a semicolon is not one character.
  return text === reference || (text.endsWith(";") && name !== "semi") ? false : text;
}
