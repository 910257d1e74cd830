/**
 * The syntax of formulas for micromark and mdast. An inline formula ends within its paragraph. A block begins at a line that
 * starts with `$$` or `\[` and ends at the closing delimiter, which nothing follows, at a blank line or at the end of the text.
 * So its beginning decides whether it is a block, and later text changes nothing before it.
 */
import type { CompileContext, Token } from "mdast-util-from-markdown";
import type { Code, Construct, Effects, State, TokenizeContext } from "micromark-util-types";
import type { FormulaPlace } from "./is-formula.ts";
import type { MathSyntax } from "./math-node.ts";
import { readFormula } from "./read-formula.ts";

const DOLLAR = 36;
const BACKSLASH = 92;
const OPENING_PARENTHESIS = 40;
const CLOSING_PARENTHESIS = 41;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;

/**
 * The maximum length of an inline formula, in UTF-16 units. A longer one is text: the end is searched for no further than this.
 */
const MAX_INLINE = 2000;

export type IsFormula = (content: string, place: FormulaPlace) => boolean;

/** @param isFormula distinguishes a formula from words and prices between the same delimiters */
export function createMathSyntax(isFormula: IsFormula): MathSyntax {
  const inline: Construct = { name: "math", tokenize: inlineTokenizer(isFormula) };
  const block: Construct = { name: "mathBlock", tokenize: blockTokenizer(isFormula), concrete: true };
  return {
    micromark: {
      text: { [DOLLAR]: { ...inline, previous: isNoWord }, [BACKSLASH]: inline },
      flow: { [DOLLAR]: block, [BACKSLASH]: block },
    },
    mdast: {
      enter: { math: enterMath },
      exit: { math: exitMath, mathData: exitData },
    },
  };
}

function enterMath(this: CompileContext, token: Token): undefined {
  this.enter({ type: "math", value: "", isClosed: false }, token);
  this.buffer();
}

function exitMath(this: CompileContext, token: Token): undefined {
  const value = this.resume();
  const node = this.stack.at(-1);
  if (node?.type === "math") Object.assign(node, { value, isClosed: readFormula(value) !== undefined });
  this.exit(token);
}

function exitData(this: CompileContext, token: Token): undefined {
  this.config.enter["data"]?.call(this, token);
  this.config.exit["data"]?.call(this, token);
}

function inlineTokenizer(isFormula: IsFormula): Construct["tokenize"] {
  return function tokenizeInline(effects, ok, nok) {
    let content = "";
    let opening = 0;
    let isDouble = false;

    return start;

    function start(code: Code): State | undefined {
      opening = code ?? 0;
      effects.enter("math");
      effects.enter("mathData");
      effects.consume(code);
      return second;
    }

    function second(code: Code): State | undefined {
      if (opening === BACKSLASH) {
        if (code !== OPENING_PARENTHESIS && code !== OPENING_BRACKET) return nok(code);
        opening = code;
        effects.consume(code);
        return inside;
      }
      if (code === DOLLAR) {
        isDouble = true;
        effects.consume(code);
        return third;
      }
      return isSpace(code) ? nok(code) : inside(code);
    }

    /** A run of three dollars opens nothing. */
    function third(code: Code): State | undefined {
      return code === DOLLAR ? nok(code) : inside(code);
    }

    function inside(code: Code): State | undefined {
      // This ends as at the end of the text, because the inline limits count openings that were searched for that long.
      if (code === null || content.length > MAX_INLINE) return nok(null);
      if (isEol(code)) {
        if (opening === DOLLAR && !isDouble) return nok(code);
        content += "\n";
        effects.exit("mathData");
        lineEnding(effects, code);
        return afterEol;
      }
      effects.consume(code);
      if (code === BACKSLASH) return afterBackslash;
      if (code === DOLLAR && opening === DOLLAR) return isDouble ? afterDollar : end;
      content += charOf(code);
      return inside;
    }

    /** A piece of data is never empty. */
    function afterEol(code: Code): State | undefined {
      if (code === null || isEol(code)) return nok(code);
      effects.enter("mathData");
      return inside(code);
    }

    function afterBackslash(code: Code): State | undefined {
      const closing = opening === OPENING_PARENTHESIS ? CLOSING_PARENTHESIS : CLOSING_BRACKET;
      if (opening !== DOLLAR && code === closing) {
        effects.consume(code);
        return end;
      }
      content += "\\";
      if (code === null || isEol(code)) return inside(code);
      content += charOf(code);
      effects.consume(code);
      return inside;
    }

    function afterDollar(code: Code): State | undefined {
      if (code === DOLLAR) {
        effects.consume(code);
        return end;
      }
      content += "$";
      return inside(code);
    }

    function end(code: Code): State | undefined {
      const isSingle = opening === DOLLAR && !isDouble;
      // In «$5-$10» or «$HOME/$USER» the character after the dollar shows that it is not a formula.
      if (isSingle && (/\s$/.test(content) || code === DOLLAR || isWordCode(code))) return nok(code);
      const place = isSingle ? "dollars" : opening === OPENING_PARENTHESIS ? "apart" : "line";
      if (!isFormula(content, place)) return nok(code);
      effects.exit("mathData");
      effects.exit("math");
      return ok(code);
    }
  };
}

function blockTokenizer(isFormula: IsFormula): Construct["tokenize"] {
  return function tokenizeBlock(effects, ok, nok) {
    return readBlock(this.interrupt === true, isFormula, effects, ok, nok);
  };
}

function readBlock(interrupts: boolean, isFormula: IsFormula, effects: Effects, ok: State, nok: State): State {
  const continuation: Construct = { tokenize: tokenizeContinuation, partial: true };
  let opening = 0;
  /** The line so far, without the opening delimiter. */
  let line = "";
  let isFirst = true;

  return start;

  function start(code: Code): State | undefined {
    opening = code ?? 0;
    effects.enter("math");
    effects.enter("mathData");
    effects.consume(code);
    return second;
  }

  function second(code: Code): State | undefined {
    if (code !== (opening === DOLLAR ? DOLLAR : OPENING_BRACKET)) return nok(code);
    effects.consume(code);
    return opening === DOLLAR ? third : inside;
  }

  function third(code: Code): State | undefined {
    return code === DOLLAR ? nok(code) : inside(code);
  }

  function inside(code: Code): State | undefined {
    if (code !== null && !isEol(code)) {
      line += charOf(code);
      effects.consume(code);
      return inside;
    }
    const [content = "", behind, ...more] = line.split(opening === DOLLAR ? "$$" : "\\]");
    const isClosed = behind !== undefined && more.length === 0 && /^[.,;:]?\s*$/.test(behind);
    // If the first line closes the formula earlier, it is a paragraph that begins with a formula.
    if (isFirst && behind !== undefined && !(isClosed && isFormula(content, "apart"))) return nok(code);
    effects.exit("mathData");
    if (isClosed || code === null || (isFirst && interrupts)) return after(code);
    isFirst = false;
    line = "";
    return effects.attempt(continuation, beforeLine, after)(code);
  }

  function beforeLine(code: Code): State | undefined {
    effects.enter("mathData");
    return inside(code);
  }

  function after(code: Code): State | undefined {
    effects.exit("math");
    return ok(code);
  }
}

/** Matches the line ending before another line of the block, unless a blank line follows or the quote or list ends. */
function tokenizeContinuation(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  return (code) => {
    lineEnding(effects, code);
    return (next) => {
      if (next === null || this.parser.lazy[this.now().line]) return nok(next);
      return effects.check({ tokenize: tokenizeBlankLine, partial: true }, nok, ok)(next);
    };
  };
}

/** Like micromark's own construct, which is in another chunk. */
function tokenizeBlankLine(effects: Effects, ok: State, nok: State): State {
  return start;

  function start(code: Code): State | undefined {
    if (!isBlank(code)) return end(code);
    effects.enter("linePrefix");
    return rest(code);
  }

  function rest(code: Code): State | undefined {
    if (isBlank(code)) {
      effects.consume(code);
      return rest;
    }
    effects.exit("linePrefix");
    return end(code);
  }

  function end(code: Code): State | undefined {
    return code === null || isEol(code) ? ok(code) : nok(code);
  }
}

/** The token of a line ending. In a formula with several lines it is between two pieces of data. */
function lineEnding(effects: Effects, code: Code): void {
  effects.enter("lineEnding");
  effects.consume(code);
  effects.exit("lineEnding");
}

function isNoWord(this: TokenizeContext, code: Code): boolean {
  return !isWordCode(code) && code !== DOLLAR;
}

function isWordCode(code: Code): boolean {
  return code !== null && code > 0 && /[\p{L}\p{N}]/u.test(String.fromCharCode(code));
}

function isSpace(code: Code): boolean {
  return code === null || isEol(code) || isBlank(code);
}

/** A space, a tab, or a column of a tab. */
function isBlank(code: Code): boolean {
  return code === 32 || code === -1 || code === -2;
}

/** micromark's codes below -2 are line endings; -2 and -1 are a tab and its virtual spaces. */
function isEol(code: Code): boolean {
  return code !== null && code < -2;
}

function charOf(code: number): string {
  return code < 0 ? " " : String.fromCharCode(code);
}
