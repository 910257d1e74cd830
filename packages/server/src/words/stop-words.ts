const words = new Set(
  (
    "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о из ему " +
    "теперь когда даже ну вдруг ли если уже или ни быть был него до вас нибудь опять уж вам ведь там потом себя ничего ей может они тут " +
    "где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет ж тогда кто этот того потому этого какой " +
    "ним здесь этом один мой тем чтобы нее сейчас были куда зачем всех можно при об это эта эти мой моя мои моё свой какая какие какой " +
    "каком сколько почему нужно хочу могу подскажите скажите пожалуйста здравствуйте у вас ваш ваша ваши делать сделать " +
    "a an and are as at be by can could do does for from how i if in into is it its me my of on or our please should that the their them " +
    "there these they this to was we were what when where which who why will with would you your am not no so any get have has had " +
    "dont doesnt didnt cant isnt arent wont whats hows wheres im ive"
  ).split(" "),
);

/** Whether a word says nothing of a question's subject. */
export function isStopWord(word: string): boolean {
  return words.has(word);
}
