#include "src/codegen/rare_lanes.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace jitc::codegen {

namespace {

/// A branch that goes wrong costs about as many vector instructions.
constexpr size_t kLeastSaved = 32;
/// Beside a constant or an argument, which is what special cases give, a long side is no rare one.
constexpr size_t kLeastOfOtherSide = 8;

using Selects = llvm::SmallVector<llvm::SelectInst*, 4>;
using Instructions = llvm::SmallPtrSet<const llvm::Instruction*, 32>;

/// Selects of one block by one vector of conditions, in their order; `needed_if` is the operand that a branch computes.
struct Choice {
  Selects selects;
  bool needed_if = true;
  Instructions only_for_it;
};

llvm::Use& operand_if(llvm::SelectInst& select, bool condition) { return select.getOperandUse(condition ? 1 : 2); }

bool has_user_before(const llvm::SelectInst& select, const llvm::Instruction& place) {
  return std::any_of(select.user_begin(), select.user_end(), [&](const llvm::User* user) {
    const auto* instruction = llvm::cast<llvm::Instruction>(user);
    return instruction->getParent() == place.getParent() && !llvm::isa<llvm::PHINode>(instruction) &&
           instruction != &place && instruction->comesBefore(&place);
  });
}

/// Those of the selects by one condition that can stand where the last of them does.
Selects movable_to_last(const Selects& selects) {
  Selects result;
  for (llvm::SelectInst* select : selects) {
    const bool is_last = select == selects.back();
    const bool is_operand =
        !is_last && std::find(select->user_begin(), select->user_end(), selects.back()) != select->user_end();
    if (is_last || (!is_operand && !has_user_before(*select, *selects.back()))) result.push_back(select);
  }
  return result;
}

bool is_only_for(const llvm::Instruction& instruction, const Choice& choice) {
  return !instruction.use_empty() &&
         std::all_of(instruction.use_begin(), instruction.use_end(), [&](const llvm::Use& use) {
           const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
           if (choice.only_for_it.contains(user)) return true;
           const auto found = std::find(choice.selects.begin(), choice.selects.end(), user);
           return found != choice.selects.end() && &use == &operand_if(**found, choice.needed_if);
         });
}

/// What the selects need of one operand alone.
Choice choice_of(const Selects& selects, bool needed_if) {
  Choice choice{selects, needed_if, {}};
  llvm::BasicBlock& block = *selects.back()->getParent();
  bool writes_follow = false;
  for (auto it = selects.back()->getReverseIterator(); it != block.rend(); ++it) {
    const bool moves = !llvm::isa<llvm::PHINode>(*it) && !it->mayHaveSideEffects() && !it->isTerminator() &&
                       !(writes_follow && it->mayReadFromMemory()) && is_only_for(*it, choice);
    if (moves) choice.only_for_it.insert(&*it);
    writes_follow |= it->mayWriteToMemory();
  }
  return choice;
}

/// The longer side of the selects, if it is worth a branch.
std::optional<Choice> rare_side(const Selects& all) {
  const Selects selects = movable_to_last(all);
  Choice longer = choice_of(selects, true), shorter = choice_of(selects, false);
  if (longer.only_for_it.size() < shorter.only_for_it.size()) std::swap(longer, shorter);
  const size_t usual = shorter.only_for_it.size(), rare = longer.only_for_it.size();
  if (usual < kLeastOfOtherSide || rare < usual + kLeastSaved) return std::nullopt;
  return longer;
}

llvm::Value* any_lane_needs_it(llvm::IRBuilder<>& builder, const Choice& choice) {
  llvm::Value* condition = choice.selects.back()->getCondition();
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(condition->getType())->getNumElements();
  llvm::Type* bits = builder.getIntNTy(lanes);
  llvm::Value* mask = builder.CreateBitCast(condition, bits);
  llvm::Constant* none = choice.needed_if ? llvm::Constant::getNullValue(bits) : llvm::Constant::getAllOnesValue(bits);
  return builder.CreateICmpNE(mask, none);
}

/// head: …, any lane? → rare: the long side and the selects → tail, where they are phis.
void branch_around(const Choice& choice) {
  llvm::BasicBlock* head = choice.selects.back()->getParent();
  for (llvm::SelectInst* select : choice.selects) {
    if (select != choice.selects.back()) select->moveBefore(choice.selects.back());
  }
  llvm::BasicBlock* tail = head->splitBasicBlock(choice.selects.front()->getIterator());
  auto* rare = llvm::BasicBlock::Create(head->getContext(), "", head->getParent(), tail);
  llvm::Instruction* end = llvm::BranchInst::Create(tail, rare);

  for (llvm::Instruction& instruction : llvm::make_early_inc_range(*head)) {
    if (choice.only_for_it.contains(&instruction)) instruction.moveBefore(end);
  }
  for (llvm::SelectInst* select : choice.selects) {
    auto* merged = llvm::PHINode::Create(select->getType(), 2, "", tail->begin());
    select->replaceAllUsesWith(merged);
    merged->addIncoming(operand_if(*select, !choice.needed_if), head);
    merged->addIncoming(select, rare);
    select->moveBefore(end);
  }

  head->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(head);
  llvm::MDNode* rarely = llvm::MDBuilder(head->getContext()).createUnlikelyBranchWeights();
  builder.CreateCondBr(any_lane_needs_it(builder, choice), rare, tail, rarely);
}

using Conditions = llvm::SmallPtrSet<const llvm::Value*, 8>;

/// Selects by vectors of conditions that have no branch yet.
llvm::MapVector<llvm::Value*, Selects> selects_by_condition(llvm::BasicBlock& block, const Conditions& done) {
  llvm::MapVector<llvm::Value*, Selects> result;
  for (llvm::Instruction& instruction : block) {
    auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
    if (select == nullptr || !select->getCondition()->getType()->isVectorTy()) continue;
    if (!done.contains(select->getCondition())) result[select->getCondition()].push_back(select);
  }
  return result;
}

/// Whether a part of the block moved; the rest is in later blocks then.
bool skip_in_block(llvm::BasicBlock& block, Conditions& done) {
  for (auto& [condition, selects] : selects_by_condition(block, done)) {
    const std::optional<Choice> choice = rare_side(selects);
    if (!choice) continue;
    branch_around(*choice);
    done.insert(condition);
    return true;
  }
  return false;
}

}  // namespace

void skip_rare_lanes(llvm::Module& module) {
  for (llvm::Function& function : module) {
    Conditions done;
    // Blocks that come of splitting follow the one that was split.
    for (auto block = function.begin(); block != function.end();) {
      if (!skip_in_block(*block, done)) ++block;
    }
  }
}

}  // namespace jitc::codegen
