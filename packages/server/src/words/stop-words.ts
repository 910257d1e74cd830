// Particles of English verbs (`off`, `out`) are not included, because they carry meaning.
const words = new Set(
  (
    "а без будет будто бы был была были было быть в вам вами вас ваш ваша ваше ваши вдруг ведь весь во вот все всей всем всеми всему всех " +
    "всю вся вы где да даже делать для до его ее ей ему если есть еще ж же за зачем здесь здравствуйте и из или именно ими их к как какая " +
    "какие какой каком кем когда кого кому которая которого которое которой котором которую которые который которым которыми которых кто " +
    "куда ли либо лишь между меня мне много мною могу мое может можно мои мой моя мы на над надо нам нами нас наш наша наше наши не него " +
    "нее ней нему нет ни нибудь ним ничего но ну нужно о об один он она они оно опять от перед по под подскажите пожалуйста пока после " +
    "потом потому почему при про раз с сам сами само самый свое своего своей своем свои своим своими своих свой свою своя сделать себе " +
    "себя сейчас скажите сколько снова со сразу среди та так такая также такие такой там те тебя тем теми теперь тех то тогда того тоже " +
    "той только том тому ту тут ты у уж уже хоть хочу чего чей чем чему через что чтоб чтобы чьи чья эта эти этим этими этих это этого " +
    "этом этот эту я является " +
    "a about after again all also am an and another any are arent as at be because been before being between both but by can cant could " +
    "did didnt do does doesnt doing done dont during each else every few for from further get had has have he her here him his how hows i " +
    "if im in into is isnt it its itself ive just me more most much must my no nor not of on once only or other our own please same she " +
    "should since so some such than that the their them then there these they this those to too until us very was we were what whats when " +
    "where wheres which while who whose why will with wont would yet you your"
  ).split(" "),
);

/** Whether a word says nothing about a question's subject. */
export function isStopWord(word: string): boolean {
  return words.has(word);
}
